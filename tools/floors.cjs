/**
 * The floors, ground to top: a folder may import itself and the folders listed for it, nothing else.
 * This is data: the check, the picture in ARCHITECTURE.md and the test that plants a breach read it from here.
 */
const mayImport = {
  base: [],
  domain: ['base'],
  engine: ['base', 'domain'],
  api: ['base', 'domain'],
  http: ['base', 'domain', 'api'],
  journal: ['base', 'domain'],
  history: ['base', 'domain'],
  ingress: ['base', 'domain'],
  egress: ['base', 'domain'],
  custody: ['base', 'domain'],
  'price-index': ['base', 'domain'],
  proof: ['base', 'domain'],
  sequencer: ['base', 'domain', 'engine', 'journal', 'ingress', 'egress'],
  settlement: ['base', 'domain', 'ingress', 'egress', 'custody'],
  projections: ['base', 'domain', 'egress', 'history', 'ingress'],
  sandbox: ['base', 'domain', 'ingress', 'egress', 'custody', 'projections', 'price-index'],
  gateway: ['base', 'domain', 'api', 'http', 'ingress', 'history', 'custody', 'projections'],
  operator: [
    'base',
    'domain',
    'api',
    'http',
    'ingress',
    'history',
    'custody',
    'settlement',
    'proof',
    'projections',
    'sandbox',
    'price-index',
  ],
  streams: ['base', 'domain', 'api', 'http', 'egress', 'ingress', 'projections'],
};

/** Files of a port's folder that everyone may import; its other files are adapters, chosen by `main` alone. */
const ports = {
  journal: ['journal'],
  history: [
    'bar-spans',
    'contract-tables',
    'history-store',
    'history-table',
    'history-tables',
    'rebate-tables',
    'wallet-tables',
    'wallet-rows',
  ],
  ingress: [
    'command-ingress',
    'contract-queries',
    'exchange-queries',
    'rebate-queries',
    'safety-queries',
    'cancel-frozen-orders',
    'settle-due-rebates',
    'sub-account-queries',
    'update-indices',
    'wallet-queries',
  ],
  egress: ['event-feed'],
  custody: ['custody', 'addresses/addresses', 'addresses/networks', 'simulated/chain-controls'],
  'price-index': ['price-index', 'spot-price'],
};

/** Floors without packages and without `node:` modules; `api` may use zod. */
const pureFloors = ['base', 'domain', 'engine', 'api'];

module.exports = { mayImport, ports, pureFloors };
