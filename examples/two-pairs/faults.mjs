const keyPath = '/api/v3/userDataStream';

/** What goes wrong on purpose, in turns. Give `fetch` to the requests, and call `next` now and then. */
export class Faults {
  made = 0;
  #loss = null;

  /** To lose a request, throw before it is sent; to lose its answer, after the exchange gave it. */
  fetch = async (address, request) => {
    const name = new URL(address).searchParams.get('newClientOrderId');
    const loss = this.#loss;
    if (loss === null || name === null || (loss.name ??= name) !== name) return fetch(address, request);
    loss.tries -= 1;
    if (loss.tries === 0) this.#loss = null;
    if (loss.what === 'answer') await fetch(address, request);
    throw new Error(`the ${loss.what} was lost on purpose`);
  };

  /** Breaks the next thing. */
  next({ market, own, rest }) {
    const kinds = [
      () => market.stream.loseNext(),
      () => this.#lose('request', 3),
      () => market.stream.cut(),
      () => own.stream.cut(),
      () => this.#lose('answer', 1),
      () => endListenKeys(rest),
      () => this.#lose('request', 1),
      () => this.#lose('answer', 3),
    ];
    this.made += 1;
    return kinds[(this.made - 1) % kinds.length]();
  }

  /** Nothing more goes wrong. */
  stop() {
    this.#loss = null;
  }

  /** As many tries of the next order. */
  #lose(what, tries) {
    this.#loss = { what, tries, name: null };
  }
}

/** Their connections end with them, as if an hour had passed. */
async function endListenKeys(rest) {
  const { listenKey: keys } = await rest.signed('GET', keyPath);
  for (const listenKey of keys) await rest.signed('DELETE', keyPath, { listenKey });
}
