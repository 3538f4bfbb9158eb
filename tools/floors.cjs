/**
 * The floors, ground to top: a folder may import itself and the folders listed for it, nothing else.
 * This is data: the check, the pictures in ARCHITECTURE.md and the test that plants a breach read it from here.
 */
const mayImport = {
  base: [],
  client: ['base'],
  model: ['base'],
  engine: ['base', 'model'],
  journal: ['base', 'model'],
  http: ['base', 'model'],
  history: ['base', 'model'],
  sequencer: ['base', 'model', 'engine', 'journal'],
  cluster: ['base', 'model', 'journal', 'sequencer'],
  custody: ['base', 'model', 'sequencer'],
  'proof-of-liabilities': ['base', 'model'],
  'market-data': ['base', 'model', 'sequencer', 'history'],
  jobs: ['base', 'model', 'sequencer'],
  sandbox: ['base', 'model', 'http', 'sequencer', 'custody', 'market-data', 'jobs', 'websocket'],
  websocket: ['base', 'model', 'http', 'sequencer', 'market-data'],
  webhooks: ['base', 'model', 'sequencer', 'history'],
  'public-api': ['base', 'model', 'http', 'sequencer', 'history', 'custody', 'market-data', 'websocket'],
  'operator-api': [
    'base',
    'model',
    'http',
    'sequencer',
    'history',
    'custody',
    'proof-of-liabilities',
    'market-data',
    'jobs',
    'sandbox',
    'webhooks',
  ],
  'operator-commands': ['base', 'http', 'operator-api'],
  testing: ['base', 'client', 'http', 'operator-api', 'sandbox', 'operator-commands', 'main'],
};

/**
 * The floors inside the engine: tables below rules. Two arrows run up, each for one reason: an order keeps the place of
 * its hold (`book` to `ledger`), and the match of a contract's order is settled as a position (`spot` to `futures`).
 */
const engineMayImport = {
  book: ['ledger'],
  events: ['book'],
  ledger: ['events'],
  state: ['book', 'events', 'ledger'],
  money: ['book', 'state'],
  rebates: ['book', 'state', 'money'],
  spot: ['book', 'ledger', 'state', 'money', 'rebates', 'futures'],
  protections: ['state', 'money'],
  listing: ['book', 'state', 'money', 'spot', 'protections'],
  accounts: ['state', 'money', 'rebates', 'spot', 'protections'],
  futures: ['book', 'ledger', 'state', 'money', 'rebates', 'spot', 'accounts'],
  wallet: ['ledger', 'state', 'money', 'rebates', 'accounts', 'futures', 'protections'],
  acts: ['state', 'money', 'rebates', 'futures', 'queries'],
  queries: ['book', 'state', 'spot'],
  image: ['book', 'events', 'ledger', 'state', 'money'],
};

/** Files of a port's folder that everyone may import; its other files are adapters, chosen by `main` alone. */
const ports = {
  journal: [
    'journal',
    'entry-batch',
    'encoded-batch',
    'entry-reader',
    'given-segments',
    'log-comparison',
    'segment-format',
  ],
  history: ['history-store', 'tables/[a-z-]+', 'collectors/(?:deal-flags|live-bar)'],
  sequencer: ['command-ingress', 'event-feed', 'signature-authority', 'queries/[a-z-]+-queries'],
  custody: ['custody', 'addresses/addresses', 'addresses/networks', 'settlement/[a-z-]+', 'simulated/chain-controls'],
  'market-data': ['(?!price-index/).+', 'price-index/(?:price-index|spot-price)'],
};

/** Floors without packages and without `node:` modules. */
const pureFloors = ['base', 'model', 'engine'];

module.exports = { mayImport, engineMayImport, ports, pureFloors };
