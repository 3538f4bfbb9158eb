import { as } from '#model/units.ts';
import { firstState, type Fork, type KeptState, type StateControls, StateRefused } from '#sandbox/kept-states.ts';

/** States by name alone, of an exchange that is always at entry 7. */
export function memoryStates(): StateControls {
  const states = new Map<string, KeptState>();
  const forks = new Map<string, Fork>();
  const moment = { exchangeTime: as<KeptState['exchangeTime']>(1000), lastEntry: as<KeptState['lastEntry']>(7) };
  const known = (name: string): KeptState => {
    const state = states.get(name);
    if (state === undefined)
      throw new StateRefused('unknownState', 'There is no state of this name; GET /v1/states lists them.');
    return state;
  };
  return {
    list: async () => [...states.values()].sort((one, other) => (one.name < other.name ? -1 : 1)),
    save: async (name) => {
      if (name === firstState) throw new StateRefused('stateReserved', `The name ${name} is that of the first state.`);
      if (states.has(name)) throw new StateRefused('stateExists', `There is a state ${name} already.`);
      const state = { ...moment, name, keptAt: 2000, bytes: 300 };
      states.set(name, state);
      return state;
    },
    restore: async (name) => {
      known(name);
      return moment;
    },
    reset: async () => moment,
    remove: async (name) => {
      known(name);
      states.delete(name);
    },
    fork: async (name) => {
      known(name);
      const url = 'http://127.0.0.1:9';
      const addresses = { baseUrl: url, futuresBaseUrl: url, wsUrl: 'ws://127.0.0.1:9/ws', operatorUrl: url };
      const fork = { id: `fork-${forks.size + 1}`, state: name, addresses };
      forks.set(fork.id, fork);
      return fork;
    },
    forks: () => [...forks.values()],
    endFork: async (id) => {
      if (!forks.delete(id)) throw new StateRefused('unknownFork', `There is no fork ${id}.`);
    },
  };
}
