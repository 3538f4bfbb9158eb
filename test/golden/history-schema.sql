-- step 1
CREATE TABLE progress (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  watermark INTEGER NOT NULL
) STRICT;
INSERT INTO progress VALUES (1, 0);

CREATE TABLE trades (
  symbol INTEGER NOT NULL,
  at INTEGER NOT NULL,
  trade INTEGER NOT NULL,
  price INTEGER NOT NULL,
  lots INTEGER NOT NULL,
  quote_amount INTEGER NOT NULL,
  taker_side INTEGER NOT NULL,
  taker INTEGER NOT NULL,
  PRIMARY KEY (symbol, at, trade)
) STRICT, WITHOUT ROWID;

CREATE TABLE fills (
  account INTEGER NOT NULL,
  symbol INTEGER NOT NULL,
  at INTEGER NOT NULL,
  trade INTEGER NOT NULL,
  is_maker INTEGER NOT NULL,
  order_number INTEGER NOT NULL,
  client_order_id TEXT,
  taker INTEGER NOT NULL,
  fill_of_taker INTEGER NOT NULL,
  price INTEGER NOT NULL,
  lots INTEGER NOT NULL,
  quote_amount INTEGER NOT NULL,
  side INTEGER NOT NULL,
  is_self_trade INTEGER NOT NULL,
  fee INTEGER NOT NULL,
  fee_asset INTEGER NOT NULL,
  PRIMARY KEY (account, symbol, at, trade, is_maker)
) STRICT, WITHOUT ROWID;
CREATE INDEX fills_of_order ON fills (order_number, at, trade);

CREATE TABLE orders (
  account INTEGER NOT NULL,
  symbol INTEGER NOT NULL,
  accepted_at INTEGER NOT NULL,
  order_number INTEGER NOT NULL,
  side INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  status INTEGER NOT NULL,
  price INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  budget INTEGER,
  executed INTEGER NOT NULL,
  executed_quote INTEGER NOT NULL,
  stp_mode INTEGER NOT NULL,
  client_order_id TEXT,
  close_reason INTEGER,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (account, symbol, accepted_at, order_number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX orders_by_number ON orders (order_number);
CREATE INDEX orders_by_client_id ON orders (account, symbol, client_order_id, order_number) WHERE client_order_id IS NOT NULL;

CREATE TABLE bars (
  symbol INTEGER NOT NULL,
  span INTEGER NOT NULL,
  open_time INTEGER NOT NULL,
  open INTEGER NOT NULL,
  high INTEGER NOT NULL,
  low INTEGER NOT NULL,
  close INTEGER NOT NULL,
  lots_high INTEGER NOT NULL,
  lots_low INTEGER NOT NULL,
  quote_high INTEGER NOT NULL,
  quote_low INTEGER NOT NULL,
  trades INTEGER NOT NULL,
  PRIMARY KEY (symbol, span, open_time)
) STRICT, WITHOUT ROWID;

CREATE TABLE deposits (
  account INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  deposit INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  network TEXT NOT NULL,
  address TEXT NOT NULL,
  memo TEXT,
  tx_id TEXT NOT NULL,
  output INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  status INTEGER NOT NULL,
  confirmations INTEGER NOT NULL,
  min_confirm INTEGER NOT NULL,
  is_inside INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (account, inserted_at, deposit)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX deposits_by_number ON deposits (deposit);
CREATE INDEX deposits_by_transaction ON deposits (tx_id, account);

CREATE TABLE withdrawals (
  account INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  withdrawal INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  network TEXT NOT NULL,
  address TEXT NOT NULL,
  memo TEXT,
  amount INTEGER NOT NULL,
  fee INTEGER NOT NULL,
  value INTEGER,
  status INTEGER NOT NULL,
  is_inside INTEGER NOT NULL,
  tx_id TEXT,
  nonce INTEGER,
  confirmations INTEGER NOT NULL,
  withdraw_order_id TEXT,
  remark TEXT,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (account, requested_at, withdrawal)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX withdrawals_by_number ON withdrawals (withdrawal);
CREATE INDEX withdrawals_by_transaction ON withdrawals (tx_id, account) WHERE tx_id IS NOT NULL;
CREATE INDEX withdrawals_by_address ON withdrawals (address, account);

CREATE TABLE transfers (
  account INTEGER NOT NULL,
  at INTEGER NOT NULL,
  transfer INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  from_wallet INTEGER NOT NULL,
  to_wallet INTEGER NOT NULL,
  client_tran_id TEXT,
  PRIMARY KEY (account, at, transfer)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX transfers_by_number ON transfers (transfer);

CREATE TABLE sends (
  account INTEGER NOT NULL,
  at INTEGER NOT NULL,
  send INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  direction INTEGER NOT NULL,
  counterparty INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  target_kind INTEGER NOT NULL,
  target TEXT NOT NULL,
  PRIMARY KEY (account, at, send)
) STRICT, WITHOUT ROWID;
CREATE INDEX sends_by_number ON sends (send);

CREATE TABLE conversions (
  account INTEGER NOT NULL,
  at INTEGER NOT NULL,
  conversion INTEGER NOT NULL,
  line INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  converted INTEGER NOT NULL,
  fee INTEGER NOT NULL,
  PRIMARY KEY (account, at, conversion, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledgerLines (
  account INTEGER NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  line INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  change INTEGER NOT NULL,
  free INTEGER NOT NULL,
  held INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  why INTEGER NOT NULL,
  order_number INTEGER,
  reference_kind INTEGER,
  reference INTEGER,
  PRIMARY KEY (account, at, seq, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_lines_by_asset ON ledgerLines (asset, account, at, seq, line);

CREATE TABLE adjustments (
  at INTEGER NOT NULL,
  adjustment INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  account INTEGER NOT NULL,
  wallet INTEGER,
  asset INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  type INTEGER NOT NULL,
  reason TEXT NOT NULL,
  reference TEXT,
  made_by TEXT NOT NULL,
  approved_by TEXT,
  proposal INTEGER,
  PRIMARY KEY (at, adjustment)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX adjustments_by_number ON adjustments (adjustment);
CREATE INDEX adjustments_by_account ON adjustments (account, at, adjustment);

CREATE TABLE accountNotes (
  account INTEGER NOT NULL,
  at INTEGER NOT NULL,
  note INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  text TEXT NOT NULL,
  author TEXT NOT NULL,
  PRIMARY KEY (account, at, note)
) STRICT, WITHOUT ROWID;

CREATE TABLE operatorActs (
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  number INTEGER NOT NULL,
  actor TEXT NOT NULL,
  token TEXT NOT NULL,
  address TEXT NOT NULL,
  idempotency_key TEXT,
  reason TEXT,
  command_kind TEXT NOT NULL,
  target_kind INTEGER NOT NULL,
  target_id TEXT,
  parameters TEXT NOT NULL,
  changes TEXT NOT NULL,
  refusal TEXT,
  is_refused INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (at, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX acts_by_number ON operatorActs (number);
CREATE INDEX acts_by_target ON operatorActs (target_id, target_kind, at, seq) WHERE target_id IS NOT NULL;
CREATE INDEX acts_by_target_kind ON operatorActs (target_kind, at, seq);
CREATE INDEX acts_by_command ON operatorActs (command_kind, at, seq);
CREATE INDEX acts_by_actor ON operatorActs (actor, at, seq);
CREATE INDEX acts_by_refusal ON operatorActs (is_refused, at, seq);

CREATE TABLE webhookEvents (
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  line INTEGER NOT NULL,
  event INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (at, seq, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE rebates (
  account INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  at INTEGER NOT NULL,
  accrual INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  share INTEGER NOT NULL,
  source INTEGER NOT NULL,
  code TEXT NOT NULL,
  product INTEGER NOT NULL,
  symbol INTEGER NOT NULL,
  trade INTEGER NOT NULL,
  is_maker INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  rate_ppm INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  value INTEGER NOT NULL,
  turnover INTEGER NOT NULL,
  turnover_value INTEGER NOT NULL,
  rejected_at INTEGER,
  PRIMARY KEY (account, kind, at, accrual)
) STRICT, WITHOUT ROWID;

CREATE TABLE rebateDays (
  account INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  day INTEGER NOT NULL,
  source INTEGER NOT NULL,
  share INTEGER NOT NULL,
  product INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  code TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  amount_high INTEGER NOT NULL,
  amount_low INTEGER NOT NULL,
  value_high INTEGER NOT NULL,
  value_low INTEGER NOT NULL,
  turnover_value_high INTEGER NOT NULL,
  turnover_value_low INTEGER NOT NULL,
  rejected_amount_high INTEGER NOT NULL,
  rejected_amount_low INTEGER NOT NULL,
  rejected_value_high INTEGER NOT NULL,
  rejected_value_low INTEGER NOT NULL,
  PRIMARY KEY (account, kind, day, source, share, product, asset)
) STRICT, WITHOUT ROWID;

CREATE TABLE inviteeMoves (
  inviter INTEGER NOT NULL,
  at INTEGER NOT NULL,
  move INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  account INTEGER NOT NULL,
  code TEXT NOT NULL,
  direction INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (inviter, at, move)
) STRICT, WITHOUT ROWID;

CREATE TABLE inviteClicks (
  owner INTEGER NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  code TEXT NOT NULL,
  clicks INTEGER NOT NULL,
  PRIMARY KEY (owner, at, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE rebatePayouts (
  account INTEGER NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  day INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (account, at, seq, asset)
) STRICT, WITHOUT ROWID;

CREATE TABLE rebateRejections (
  account INTEGER NOT NULL,
  day INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  source INTEGER,
  rejected_at INTEGER NOT NULL,
  PRIMARY KEY (account, day, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE universalTransfers (
  master INTEGER NOT NULL,
  at INTEGER NOT NULL,
  transfer INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  from_account INTEGER NOT NULL,
  from_wallet INTEGER NOT NULL,
  to_account INTEGER NOT NULL,
  to_wallet INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  client_tran_id TEXT,
  PRIMARY KEY (master, at, transfer)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX universal_transfers_by_number ON universalTransfers (transfer);

CREATE TABLE subAccountDeposits (
  master INTEGER NOT NULL,
  account INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  deposit INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  asset INTEGER NOT NULL,
  network TEXT NOT NULL,
  address TEXT NOT NULL,
  memo TEXT,
  tx_id TEXT NOT NULL,
  output INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  status INTEGER NOT NULL,
  confirmations INTEGER NOT NULL,
  min_confirm INTEGER NOT NULL,
  is_inside INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (master, inserted_at, deposit)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sub_account_deposits_by_number ON subAccountDeposits (deposit);

CREATE TABLE contractDeals (
  symbol INTEGER NOT NULL,
  at INTEGER NOT NULL,
  trade INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  open_flag INTEGER NOT NULL,
  is_self_trade INTEGER NOT NULL,
  PRIMARY KEY (symbol, at, trade)
) STRICT, WITHOUT ROWID;

CREATE TABLE fundingRates (
  contract INTEGER NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  rate INTEGER NOT NULL,
  fair INTEGER NOT NULL,
  paid INTEGER NOT NULL,
  received INTEGER NOT NULL,
  PRIMARY KEY (contract, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE fundSnapshots (
  contract INTEGER NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  available INTEGER NOT NULL,
  PRIMARY KEY (contract, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE takeovers (
  contract INTEGER NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  line INTEGER NOT NULL,
  account INTEGER NOT NULL,
  reason INTEGER NOT NULL,
  lots INTEGER NOT NULL,
  price INTEGER NOT NULL,
  realised INTEGER NOT NULL,
  fee INTEGER NOT NULL,
  from_fund INTEGER NOT NULL,
  PRIMARY KEY (contract, at, seq, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE markBars (
  contract INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  span INTEGER NOT NULL,
  open_time INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  open INTEGER NOT NULL,
  high INTEGER NOT NULL,
  low INTEGER NOT NULL,
  close INTEGER NOT NULL,
  PRIMARY KEY (contract, kind, span, open_time)
) STRICT, WITHOUT ROWID;
