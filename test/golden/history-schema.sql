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
