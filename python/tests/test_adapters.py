"""Our games in the shapes of OpenSpiel and PettingZoo, all of them, without these packages."""

import random

import numpy
import polymax
import pytest


@pytest.mark.parametrize("name", polymax.games())
def test_openspiel_shape(name):
    game = polymax.openspiel.load_game(name)
    rng, state = random.Random(1), game.new_initial_state()
    for _ in range(12):
        if state.is_terminal():
            break
        actions = state.legal_actions()
        assert actions == sorted(set(actions)) and max(actions) < game.num_distinct_actions()
        assert sum(state.legal_actions_mask()) == len(actions)
        assert 0 <= state.current_player() < game.num_players()
        action = rng.choice(actions)
        text = state.action_to_string(state.current_player(), action)
        assert state.string_to_action(text) == action
        child = state.child(action)
        copy = state.clone()
        state.apply_action(action)
        assert str(child) == str(state) and copy.move_number() == state.move_number() - 1
        assert state.history()[-1] == action
    assert len(state.observation_tensor()) == game.observation_tensor_size()
    assert str(game.deserialize_state(state.serialize())) == str(state)
    assert state.returns() == [0.0] * game.num_players() or state.is_terminal()
    assert not state.is_chance_node()


def test_openspiel_shape_at_the_end():
    state = polymax.openspiel.load_game("tictactoe").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.current_player() == polymax.openspiel.TERMINAL
    assert state.legal_actions() == [] and sum(state.returns()) == 0 and state.player_return(0) != 0


@pytest.mark.parametrize("name", polymax.games())
def test_aec_shape(name):
    env = polymax.aec.env({"teamhex": "teamhex(n=6)"}.get(name, name))
    rng = numpy.random.default_rng(1)
    for _ in range(2):
        env.reset(seed=3)
        assert env.agents == env.possible_agents and env.num_agents == env.max_num_agents
        total, steps = dict.fromkeys(env.agents, 0.0), 0
        for agent in env.agent_iter():
            observation, reward, termination, truncation, info = env.last()
            assert env.observation_space(agent).contains(observation)
            total[agent] += reward
            steps += 1
            if termination or truncation:
                env.step(None)
                continue
            legal = numpy.flatnonzero(observation["action_mask"])
            action = int(rng.choice(legal))
            assert env.action_space(agent).contains(action)
            env.step(action)
        assert env.agents == [] and steps > env.max_num_agents
        assert list(total.values()) == env._state.points
    assert isinstance(env.render(), str)
    env.close()


def test_aec_refuses_what_is_not_legal():
    env = polymax.aec.env("tictactoe")
    env.reset()
    env.step(4)
    with pytest.raises(ValueError, match="no legal action"):
        env.step(4)
