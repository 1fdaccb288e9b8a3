"""Specs of agents: what they mean, the one way to write each, and what is said of wrong ones."""

import math
from contextlib import suppress

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from levelsense.agents.registry import agent_words, families, parse_agent, presets
from levelsense.agents.spec import (
    NO_WEIGHTS,
    Option,
    choice,
    number,
    read_options,
    split_spec,
    switch,
    whole,
    write_spec,
)
from levelsense.errors import AgentError
from tests.agents.networks import small_file

OPTIONS = [option for family in families() for option in family.options]
WITH_DEFAULT = [option for option in OPTIONS if not option.is_required]


def refusal(spec: str) -> str:
    with pytest.raises(AgentError) as caught:
        parse_agent(spec)
    return str(caught.value)


# What a spec means


def test_a_name_alone_leaves_every_option_at_its_default() -> None:
    agent = parse_agent("mcts")
    assert dict(agent.options) == {option.name: option.default for option in agent.family.options}


def test_options_are_set_by_name() -> None:
    options = parse_agent("mcts:simulations=200,c=0.25,playout=heuristic,keep_tree=true").options
    assert (options["simulations"], options["c"]) == (200, 0.25)
    assert (options["playout"], options["keep_tree"]) == ("heuristic", True)
    assert options["branching"] == 3


def test_blanks_do_no_harm() -> None:
    assert parse_agent("  mcts : simulations = 200 , c=0.25 ").spec == "mcts:simulations=200,c=0.25"


@pytest.mark.parametrize("text", ["true", "yes", "on", "1"])
def test_switches_are_on(text: str) -> None:
    assert parse_agent(f"mcts:settle={text}").options["settle"] is True


@pytest.mark.parametrize("text", ["false", "no", "off", "0"])
def test_switches_are_off(text: str) -> None:
    assert parse_agent(f"mcts:settle={text}").options["settle"] is False


# One spec for one agent


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("mcts:c=0.5,simulations=200", "mcts:simulations=200,c=0.5"),
        ("mcts:simulations=100,c=0.6", "mcts"),
        ("mcts:c=0.60", "mcts"),
        ("mcts:c=2.0", "mcts:c=2"),
        ("mcts:c=.5", "mcts:c=0.5"),
        ("mcts:c=5e-1", "mcts:c=0.5"),
        ("mcts:noise=-0.0", "mcts"),
        ("mcts:c=-0", "mcts:c=0"),
        ("mcts:simulations=+0200", "mcts:simulations=200"),
        ("mcts:keep_tree=on,settle=0", "mcts:keep_tree=true"),
        ("greedy:of=score", "greedy"),
    ],
)
def test_the_same_agent_has_one_spec(written: str, canonical: str) -> None:
    assert parse_agent(written).spec == canonical
    assert parse_agent(canonical).spec == canonical


def values_of(option: Option) -> st.SearchStrategy[object]:
    if option.kind == "bool":
        return st.booleans()
    if option.kind == "choice":
        return st.sampled_from(option.choices)
    if option.kind == "weights":
        return st.just(option.shipped)
    if option.kind == "file":
        return st.just(option.read(str(small_file())))
    if option.kind == "int":
        return st.integers(int(option.low), int(option.high))
    return st.floats(option.low, option.high)


@settings(deadline=None)
@given(st.data())
def test_a_canonical_spec_means_what_it_was_written_from(data: st.DataObject) -> None:
    family = data.draw(st.sampled_from(families()))
    values = {option.name: data.draw(values_of(option)) for option in family.options}
    for pair in family.exclusive:
        assume(not (values[pair.first] and values[pair.second]))
    for option in family.options:
        if option.used_by and all(values[name] != setting for name, setting in option.used_by):
            values[option.name] = NO_WEIGHTS
    spec = write_spec(family.name, family.options, values)  # type: ignore[arg-type]
    assert dict(parse_agent(spec).options) == values
    assert parse_agent(spec).spec == spec


def test_no_default_is_written_but_that_of_weights() -> None:
    for family in families():
        if family.needs_options:
            continue
        weights = [
            f"{option.name}={option.default}"
            for option in family.options
            if option.kind == "weights" and not option.used_by
        ]
        expected = f"{family.name}:{','.join(weights)}" if weights else family.name
        for option in family.options:
            spec = f"{family.name}:{option.name}={option.write(option.default)}"
            assert parse_agent(spec).spec == expected


@pytest.mark.parametrize("option", WITH_DEFAULT, ids=lambda option: option.name)
def test_defaults_are_values_that_the_option_takes(option: Option) -> None:
    assert option.read(option.write(option.default)) == option.default


# Weights that only some settings use


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("mcts:prior=policy", "mcts:prior=policy,model=simulated-2"),
        ("mcts:model=simulated-2,prior=policy", "mcts:prior=policy,model=simulated-2"),
        ("mcts:playout=policy,c=1", "mcts:c=1,playout=policy,model=simulated-2"),
        ("mcts-b3:prior=policy", "mcts:signal=score,playout=heuristic,prior=policy,model=simulated-2"),
        ("mcts:prior=none,model=none", "mcts"),
        ("mcts:model=none,simulations=200", "mcts:simulations=200"),
    ],
)
def test_weights_are_written_where_they_are_used(written: str, canonical: str) -> None:
    assert parse_agent(written).spec == canonical
    assert parse_agent(canonical).spec == canonical


def test_weights_that_nothing_uses_are_refused() -> None:
    assert refusal("mcts:model=simulated-2") == (
        "model=simulated-2 for mcts: nothing uses it; expected prior=policy or playout=policy with it"
    )
    assert refusal("mcts:playout=clouded,model=simulated-2").startswith(
        "model=simulated-2 for mcts: nothing "
    )


def test_settings_that_need_weights_are_not_left_without() -> None:
    assert refusal("mcts:prior=policy,model=none").startswith(
        "model=none for mcts: prior=policy needs weights; expected a name of shipped weights, a file"
    )
    assert refusal("mcts:playout=policy,model=nowhere.json").startswith(
        "model=nowhere.json for mcts: nowhere.json: no such file; expected a file of weights, or one of: "
    )


def test_weights_of_another_family_are_refused() -> None:
    assert refusal("mcts:prior=policy,model=q-linear-1") == (
        "model=q-linear-1 for mcts: q-linear-1: weights of the kind q-linear; expected policy"
    )


def test_a_setting_that_goes_takes_the_weights_of_its_base_with_it() -> None:
    """As where options change a preset: weights that were only filled in are nobody's mistake."""
    family = next(family for family in families() if family.name == "mcts")
    base = parse_agent("mcts:prior=policy").options
    assert read_options("mcts", family.options, {"prior": "none"}, base)["model"] == NO_WEIGHTS


# Presets


def test_a_preset_is_the_agent_it_stands_for() -> None:
    for name, spec in presets().items():
        assert parse_agent(name) == parse_agent(spec)
    assert parse_agent("mcts-b3").options["playout"] == "heuristic"


def test_options_change_a_preset() -> None:
    assert parse_agent("mcts-b4:c=0.1").spec == "mcts:simulations=150,c=0.1,signal=score"
    assert parse_agent("mcts-b4:signal=goals").spec == "mcts:simulations=150"


# What is said of wrong specs


@pytest.mark.parametrize("spec", ["", "  ", ":c=1"])
def test_a_spec_names_an_agent(spec: str) -> None:
    assert refusal(spec).startswith(f"{spec!r}: no agent is named; expected ")


def test_unknown_agents_are_told_with_what_may_be_meant() -> None:
    assert refusal("mtcs").startswith("unknown agent 'mtcs'; did you mean mcts? There are: random, first, ")
    assert "did you mean greedy?" in refusal("Greedy")
    assert refusal("zzz").startswith("unknown agent 'zzz'; there are: random")


def test_unknown_options_are_told_with_those_there_are() -> None:
    assert refusal("mcts:sims=200").startswith(
        "unknown option 'sims' for mcts; it has: simulations, seconds, c, "
    )
    assert refusal("mcts-b1:sims=200").startswith("unknown option 'sims' for mcts; it has: ")
    assert refusal("random:seed=1") == "unknown option 'seed' for random; it has no options"


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (
            "mcts:simulations=0",
            "simulations=0 for mcts: out of range; expected a whole number from 1 to 1,000,000",
        ),
        (
            "mcts:simulations=1.5",
            "simulations=1.5 for mcts: not a whole number; expected a whole number from ",
        ),
        ("mcts:c=lots", "c=lots for mcts: not a number; expected a number from 0 to 100"),
        ("mcts:c=nan", "c=nan for mcts: not a number; "),
        ("mcts:c=inf", "c=inf for mcts: out of range; "),
        ("mcts:c=-1", "c=-1 for mcts: out of range; "),
        ("mcts:playout=guided", "playout=guided for mcts: no such choice; expected one of random, to-mast, "),
        ("mcts:settle=maybe", "settle=maybe for mcts: not a switch; expected true or false"),
        ("mcts:c=1,c=2", "option 'c' of mcts is given twice: 1 and 2"),
        ("mcts:", "'' in 'mcts:': not an option; expected name=value"),
        ("mcts:c", "'c' in 'mcts:c': not an option; expected name=value"),
        ("mcts:c=", "'c=' in 'mcts:c=': not an option; expected name=value"),
        ("mcts:c=1,,settle=1", "'' in 'mcts:c=1,,settle=1': not an option"),
        ("mcts:=1", "'=1' in 'mcts:=1': not an option"),
    ],
)
def test_what_is_wrong_is_said(spec: str, sentence: str) -> None:
    assert refusal(spec).startswith(sentence)


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_any_text_is_an_agent_or_told_to_be_none(text: str) -> None:
    for spec in (text, f"mcts:{text}", f"mcts:c={text}"):
        with suppress(AgentError):
            assert parse_agent(spec).spec == parse_agent(parse_agent(spec).spec).spec


# What kernels get


def test_kernels_get_numbers() -> None:
    word = choice("kind", ("round", "square"), "its shape")
    assert [word.code("round"), word.code("square")] == [0.0, 1.0]
    assert [switch("lit", False, "a lamp").code(value) for value in (False, True)] == [0.0, 1.0]
    assert whole("size", 3, 1, 9, "how big").code(4) == 4.0
    assert math.isclose(number("share", 0.5, 0, 1, "how much").code(0.25), 0.25)


def test_a_spec_is_split_at_its_marks() -> None:
    assert split_spec("a:b=c,d=e=f") == ("a", {"b": "c", "d": "e=f"})


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("policy", "policy"),
        ("policy:persona=everyone", "policy:persona=everyone"),
        ("mcts:prior=policy", "mcts:prior=policy"),
        ("mcts:simulations=50", "mcts:simulations=50"),
        ("heuristic", "heuristic"),
    ],
)
def test_people_are_told_a_spec_that_means_the_same(spec: str, words: str) -> None:
    """The shipped weights are left out, which are taken anyway."""
    canonical = parse_agent(spec).spec
    assert agent_words(canonical) == words
    assert parse_agent(words).spec == canonical


def test_other_weights_are_told() -> None:
    assert agent_words("policy:model=mine.json@0123") == "policy:model=mine.json@0123"
    assert agent_words("my.module:choose@0123456789ab") == "my.module:choose@0123456789ab"
