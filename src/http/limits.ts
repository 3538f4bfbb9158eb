const kibibyte = 1024;
const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/**
 * All limits of the API, with the rules they come from; those of the engine are in `domain/limits.ts`. Times are
 * milliseconds, sizes bytes, counts inclusive. Settings of the operator default to these values.
 */
export const wireLimits = {
  /** Request weights. SPEC-CNV-20, SPEC-CNV-21, DEC-LIM-01, DEC-LIM-07. */
  rate: {
    weightPerWindow: 500,
    windowMs: 10 * second,
    /** Addresses and accounts whose budgets are kept; the oldest are evicted. */
    bucketsKept: 200_000,
    /** IPv6 addresses count by this prefix. DEC-REQ-29. */
    ipv6PrefixBits: 64,
    /** Futures market data: calls per window, address and endpoint. */
    futuresCallsPerWindow: 20,
    futuresWindowMs: 2 * second,
  },
  /** The ban ladder. SPEC-CNV-22, DEC-LIM-02. */
  ban: {
    /** This many requests sent before the last Retry-After had elapsed, within `violationWindowMs`, ban the address. */
    violations: 5,
    violationWindowMs: minute,
    firstMs: 120 * second,
    longestMs: 3 * day,
    /** A further ban within this time doubles the last one. */
    memoryMs: 3 * day,
  },
  /** 403 for addresses that send nonsense. SPEC-CNV-24, DEC-LIM-04. */
  firewall: {
    malformedPerWindow: 100,
    windowMs: 10 * second,
  },
  /** Shape of one request. DEC-REQ-40, DEC-REQ-41, DEC-LIM-09. */
  request: {
    /** Of a body, and of one that may hold a batch of orders. */
    bodyBytes: 8 * kibibyte,
    batchBodyBytes: 32 * kibibyte,
    /** Members of a JSON body, pairs of a form; each order of a batch may have as many again. */
    bodyMembers: 64,
    /** A refused request costs its address one more weight for each started block of this size beyond the first. */
    refusedStepBytes: kibibyte,
    headerBytes: 16 * kibibyte,
    headerCount: 64,
    addressBytes: 16 * kibibyte,
    parameters: 64,
    parameterNameLength: 64,
    parameterBytes: 32 * kibibyte,
    jsonDepth: 8,
  },
  /** Sockets. DEC-LIM-10. */
  connection: {
    total: 10_000,
    perAddress: 200,
    headersTimeoutMs: 10 * second,
    requestTimeoutMs: 15 * second,
    keepAliveTimeoutMs: 65 * second,
    /** A connection is reset if its peer reads nothing of the waiting data for this long. */
    unreadTimeoutMs: minute,
    unreadCheckMs: second,
    /** Requests sent before the answer to the last one that are served in one turn of the event loop. DEC-REQ-100. */
    heldPerTurn: 32,
    /** Such requests are read from the socket's buffer in pieces of this size, not all of it for each of them. */
    pieceBytes: 4 * kibibyte,
    /** Bytes that are read and dropped behind an answer that closes the connection. DEC-REQ-101. */
    droppedBytes: 256 * kibibyte,
  },
  /** Weights of pages, of 500 in 10 s. DEC-LIM-101. */
  pages: {
    pageWeight: 1,
    documentWeight: 5,
    metricsWeight: 10,
    /** Metrics are rendered at most this often, for all who ask. DEC-LIM-102. */
    metricsKeptMs: second,
  },
  /** Reads of history for requests: at a time, and waiting of one address and of all. DEC-LIM-120, DEC-LIM-121. */
  historyReads: {
    atOnce: 2,
    perOwnerMax: 500,
    totalMax: 10_000,
  },
  /** Printed candles that are kept: windows of a page, and bytes of all pages. DEC-MKT-100. */
  candlePages: {
    windowsPerPage: 256,
    bytesKept: 64 * kibibyte * kibibyte,
  },
  /** Most entries of answers on the futures side. SPEC-FUT-12, SPEC-FUT-13, SPEC-FUT-15, SPEC-FUT-16, DEC-FUT-37. */
  futures: {
    depthLevels: 1000,
    depthCommits: 1000,
    deals: 100,
    candles: 2000,
    fundPageSize: 100,
    fundingPageSize: 1000,
  },
  /** Requests of one account in flight. */
  inFlightPerAccount: 64,
  /**
   * A request that waits this long before its command is submitted is answered 503; one whose outcome is not there
   * after `answerTimeoutMs`, 504.
   */
  queueTimeoutMs: 5 * second,
  answerTimeoutMs: 10 * second,
  /** Signed requests. SPEC-CNV-11, SPEC-CNV-12, DEC-REQ-15, DEC-REQ-18. */
  signing: {
    recvWindowDefaultMs: 5 * second,
    /** recvWindow must stay below this. */
    recvWindowBelowMs: 60 * second,
    /** A timestamp must be earlier than the server's time plus this. */
    aheadBelowMs: second,
    signatureHexDigits: 64,
    /** Signatures are remembered this long per key, to refuse their reuse elsewhere. */
    signatureMemoryMs: 61 * second,
    /** How long before its end every answer to a key tells it. DEC-REQ-147. */
    keyEndToldMs: 7 * day,
    /** Keys whose secrets are kept unsealed at a time. */
    unsealedSecrets: 10_000,
  },
  /** Public market data. SPEC-MKT-11, SPEC-MKT-12, SPEC-MKT-13, SPEC-MKT-16. */
  market: {
    depthDefault: 100,
    depthMax: 5000,
    tradesDefault: 500,
    tradesMax: 1000,
    aggregatedTradesDefault: 500,
    aggregatedTradesMax: 1000,
    candlesDefault: 500,
    candlesMax: 1000,
    /** Names in one exchangeInfo request. */
    symbolsPerQuery: 500,
    averagePriceMinutes: 5,
  },
  /** Orders. SPEC-ORD-06, SPEC-ORD-11, SPEC-ORD-15, SPEC-ORD-16, SPEC-ORD-17, SPEC-ORD-18. */
  orders: {
    perBatch: 20,
    symbolsPerCancelAll: 5,
    /** Several symbols in GET openOrders, separated by commas. DEC-ORD-44. */
    symbolsPerOpenOrders: 5,
    clientOrderIdLength: 32,
    allOrdersDefault: 500,
    allOrdersMax: 1000,
    allOrdersWindowDefaultMs: day,
    allOrdersWindowMs: 7 * day,
    myTradesDefault: 100,
    myTradesMax: 100,
    /** A month is 30 days. DEC-ORD-48. */
    myTradesWindowMs: 30 * day,
    /** POST batchOrders and GET account, per account. DEC-LIM-05. */
    heavyCallsPerSecond: 2,
  },
  /** Brokers. SPEC-BRK-02, SPEC-BRK-04, SPEC-BRK-06, SPEC-BRK-07, SPEC-BRK-09, SPEC-BRK-11. */
  broker: {
    listDefault: 10,
    listMax: 200,
    boundAddresses: 4,
    depositsDefault: 20,
    /** Without a start; deposits reach back as far as those of any account. */
    depositsWindowDefaultMs: 10 * day,
    allDepositsDefault: 100,
    /** How far back the deposits of all sub-accounts reach, and their window without a start. */
    allDepositsReachMs: 3 * day,
    rebatesDefault: 10,
    /** A year, without a start; there is no earliest day. DEC-SUB-58. */
    rebatesWindowDefaultMs: 365 * day,
    /** Passwords that are hashed at a time, that may wait, those of one account, and how long. DEC-SUB-56. */
    passwordsAtOnce: 2,
    passwordsWaiting: 256,
    passwordsOfAccount: 64,
    passwordWaitMs: 15 * second,
    /** Wrong passwords of one account within `wrongPasswordsWindowMs`; then none is checked. DEC-SUB-56. */
    wrongPasswords: 10,
    wrongPasswordsWindowMs: minute,
    /** Accounts whose wrong passwords are counted; the oldest are forgotten. */
    wrongPasswordsKept: 100_000,
  },
  /** Wallet. SPEC-WAL-07, SPEC-WAL-08, SPEC-WAL-09, SPEC-WAL-14, SPEC-WAL-18, SPEC-WAL-20, DEC-WAL-29, DEC-WAL-32. */
  wallet: {
    historyDefault: 1000,
    historyMax: 1000,
    /** Without a start; deposits and withdrawals reach back `historyReachMs`, transfers `transferReachMs`. */
    historyWindowDefaultMs: 7 * day,
    historyReachMs: 90 * day,
    transferReachMs: 183 * day,
    transfersDefault: 10,
    transfersMax: 100,
    sendsDefault: 10,
    conversionsDefault: 1,
    savedAddressesDefault: 20,
    /** Rows of a page where none is printed, and the last page that can be asked for. DEC-WAL-71. */
    pageRowsMax: 1000,
    pagesMax: 1_000_000,
    /** Within a minute, per account; then sends are refused. DEC-WAL-33. */
    unknownTargets: 10,
    unknownTargetsWindowMs: minute,
    /** Accounts whose unknown targets are counted; the oldest are forgotten. */
    unknownTargetsKept: 100_000,
    /** How often an address is derived anew because another account got its index. DEC-WAL-72. */
    addressAttempts: 5,
    /** Characters of a network's code or label, of an address, and of a memo or mail. */
    networkLength: 64,
    addressLength: 128,
    textLength: 254,
  },
  /** Sub-accounts of masters, and groups. SPEC-SUB-02, SPEC-SUB-04, SPEC-SUB-08, DEC-SUB-50. */
  subAccounts: {
    listDefault: 10,
    listMax: 200,
    addressesPerKey: 20,
    transfersDefault: 500,
    transfersMax: 500,
    /** Characters of a group's name. */
    groupNameLength: 32,
  },
  /** Reports of rebates. SPEC-REB-01, SPEC-AFF-02, SPEC-AFF-04, DEC-SUB-20, DEC-SUB-60. */
  rebates: {
    pageRows: 10,
    pageSizeDefault: 10,
    pageSizeMax: 100,
    /** Lengths of windows without a start: of rebates, of commissions and payouts, of the other reports. */
    yearMs: 365 * day,
    halfYearMs: 183 * day,
    weekMs: 7 * day,
    /** Longest window of the commission detail. */
    detailWindowMs: 30 * day,
  },
  /** Websocket streams. SPEC-STR-08, SPEC-STR-09, DEC-STR-07. */
  streams: {
    /** Channels of one connection. */
    channels: 30,
    messagesPerSecond: 100,
    connectionsPerListenKey: 5,
    /**
     * Weight of messages and subscriptions within a window: of one connection, and of an address for each connection
     * that it may have, which lets all of them return twice with their channels. DEC-STR-100.
     */
    weightWindowMs: 10 * second,
    weightPerConnection: 1200,
    weightPerAddressConnection: 128,
    /** Messages of a connection beyond the weight, within a window; one more ends it. DEC-STR-101. */
    refusedPerWindow: 10,
    /** Upgrades of an address within a window, for each connection that it may have. DEC-STR-102. */
    upgradesPerConnection: 2,
    /** Channels that one request may name. */
    channelsPerRequest: 100,
    /** A connection without any channel for this long is closed. */
    idleMs: 30 * second,
    /** A connection without traffic for this long is closed. */
    silentMs: minute,
    /** The server pings a client that sent nothing for this long. */
    pingMs: 30 * second,
    /** On the exchange's clock. */
    lifeMs: day,
    /** Interval of the check of timers and listen keys. */
    checkMs: second,
    messageBytes: 4096,
    /** Frames that one message may come in. */
    fragments: 64,
    /** Chunks of one message that may wait to be put together. */
    chunks: 1024,
    /** Bytes that may wait for a slow reader; it is disconnected before there are more. */
    bufferedBytes: 1024 * kibibyte,
    /** How long a peer has to answer a close before its socket is reset. */
    closeMs: 2 * second,
    /**
     * An address whose connection was closed for too many messages gets this as its Retry-After, for the ban ladder.
     */
    floodWaitMs: minute,
    /** Queued requests of one connection. */
    requestsWaiting: 100,
    /** Items that one aggregated push may hold; with more it is sent before its time. */
    itemsPerPush: 1000,
    klineMs: second,
    tickerMs: 3 * second,
    /** Days of every pair are kept this long after the last ticker was listened to, and a list of tickers this long. */
    daysKeptMs: 10 * minute,
    tickersKeptMs: second,
    /** A state that a new subscriber is sent is sent to others too for this long, unless it changes. DEC-STR-103. */
    statesKeptMs: second,
    snapshotMs: 100,
    batchMs: 10,
  },
} as const;
