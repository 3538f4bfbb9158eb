import WebSocket from 'ws';

const pingEveryMs = 15_000;
const silentMs = 45_000; // Three pings without an answer: the connection is dead, even if nobody says so.
const firstPauseMs = 250;
const longestPauseMs = 10_000;

/**
 * A websocket that connects again whenever it is lost, and subscribes again to its channels.
 *
 * - `url()` resolves to the address; it is asked before every connection.
 * - `onSubscribed()`: from now on nothing is left out until `onLost`. What happened before has to be asked for.
 * - `onPush(push)`: a push as an object.
 * - `onLost({ status, code, reason })`: `status` of a refused connection, close `code` of one that ended.
 */
export function openStream({ url, channels, onSubscribed, onPush, onLost = () => {} }) {
  let socket = null;
  let failures = 0;
  let isClosed = false;
  let isLosingNext = false;
  let heardAt = 0;
  let timer;

  async function connect() {
    try {
      const address = await url();
      if (!isClosed) listen(new WebSocket(address, { handshakeTimeout: 10_000 }));
    } catch (error) {
      lost({ reason: error.message });
    }
  }

  function listen(current) {
    const why = {};
    let ping;
    socket = current;
    current.on('unexpected-response', (_request, response) => {
      why.status = response.statusCode;
      why.retryAfterMs = Number(response.headers['retry-after'] ?? 0) * 1000;
      current.terminate();
    });
    current.on('error', (error) => {
      why.reason ??= error.message;
    });
    current.on('open', () => {
      heardAt = Date.now();
      current.send(JSON.stringify({ id: 1, method: 'SUBSCRIPTION', params: channels }));
      ping = setInterval(() => {
        if (Date.now() - heardAt > silentMs) current.terminate();
        else current.send(JSON.stringify({ method: 'PING' }));
      }, pingEveryMs);
    });
    current.on('message', (data) => {
      heardAt = Date.now();
      if (current === socket) hear(JSON.parse(data), current, why);
    });
    current.on('close', (code, reason) => {
      clearInterval(ping);
      if (current === socket) lost({ code, reason: String(reason), ...why });
    });
  }

  function hear(message, current, why) {
    if ('channel' in message) {
      if (isLosingNext) isLosingNext = false;
      else onPush(message);
      return;
    }
    if (message.id !== 1) return;
    if (message.code === 0 && message.msg === channels.join(',')) {
      failures = 0;
      onSubscribed();
      return;
    }
    // Refused: an unknown symbol, or a private channel without a listen key.
    why.reason = message.msg;
    current.terminate();
  }

  function lost(why) {
    socket = null;
    if (isClosed) return;
    onLost(why);
    // Randomly between half a pause and a whole one: not all clients of a restarted exchange should come at once.
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures) * (0.5 + Math.random() / 2);
    failures += 1;
    timer = setTimeout(connect, Math.max(pauseMs, why.retryAfterMs ?? 0));
  }

  void connect();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      socket?.terminate();
    },
    /** Cuts the connection, as a network does. It comes back by itself. */
    cut: () => socket?.terminate(),
    /** Drops the next push, to see what its reader makes of a gap. */
    loseNext() {
      isLosingNext = true;
    },
  };
}
