/** Bounds of the link between nodes. Both sides keep to them; whoever does not is disconnected. */
export const linkLimits = {
  /** Commands of one connection that are not answered yet, and their bytes: as many as a sequencer queues. */
  inFlight: 100_000,
  inFlightBytes: 16 << 20,
  /** Bytes of a frame that begins a connection, of one with a command, and of one with an answer. */
  helloSize: 4096,
  commandSize: (16 << 20) + 64,
  answerSize: 32 << 20,
  /** Bytes that wait to be read by the other side. */
  unreadBytes: 64 << 20,
  /** Nodes that are connected at a time. */
  connections: 64,
  /** Connections that have not shown the key yet; beyond them the oldest one is ended. */
  unproven: 64,
  /** Time to show the key and to say hello. */
  proveMs: 3000,
  /** How often each side looks whether the other one is alive, how often it says so, how long it may be silent. */
  tickMs: 250,
  beatMs: 500,
  silentMs: 1500,
  /** Time in which the other side has to close a connection that is ended. */
  endMs: 1000,
  /** Pauses before connecting again: the first one, doubled each time up to the last one. */
  pauseMs: 50,
  pauseMsMax: 1000,
  /** Nodes that one node gives its files to at a time. */
  fetching: 2,
  /** Questions for files of one connection that are not answered yet. */
  asked: 8,
  /** Bytes of a piece of a file, and segments of one part of a list. */
  pieceSize: 256 << 10,
  listed: 1000,
  /** A node that asks for nothing for so long makes place for another one. */
  idleFetchMs: 10_000,
  /** A leader rests so long after each piece that it gives. */
  leaderRestMs: 5,
  /** How long a question for files may take. */
  askMs: 20_000,
  /** Signatures that wait for the leader's leave, and those that are told at once; bytes of their method and path. */
  claims: 20_000,
  seenAtOnce: 1000,
  routeBytes: 256,
  /** Counts of limits that are told at once, and that wait for one node; bytes of a client's key, and one count. */
  countsAtOnce: 2000,
  countsWaiting: 10_000,
  countKeyBytes: 256,
  countMax: 1_000_000_000,
  /** Characters of a node's name and of its build. */
  nameLength: 128,
} as const;
