import { createRequire } from "node:module";
// benchmarks/ring-sink.ts
const slots = 1 << 17;
const mask = 131071;
/** Writes every event's numbers into a ring of one megabyte, as a sink that feeds other threads would. */
var RingSink = class {
	constructor() {
		this.ring = new Float64Array(slots);
		this.at = 0;
		this.trades = 0;
		this.lots = 0;
		this.refused = 0;
	}
	entryBegan(seq, at) {
		this.#put(1, seq, at, 0);
	}
	orderAccepted(order) {
		this.#put(2, order.order, order.price, order.quantity);
		this.#put(order.account, order.symbol, order.acceptedAt, order.side === "buy" ? 0 : 1);
	}
	orderRepeated(order) {
		this.refused += 1;
		this.#put(3, order.order, order.price, order.quantity);
	}
	orderRefused(account, symbol, _reason) {
		this.refused += 1;
		this.#put(4, account, symbol, 0);
	}
	cancelRefused(account, symbol, _reason) {
		this.refused += 1;
		this.#put(5, account, symbol, 0);
	}
	tradeExecuted(trade) {
		this.trades += 1;
		this.lots += trade.lots;
		this.#put(6, trade.trade, trade.price, trade.lots);
		this.#put(trade.maker, trade.taker, trade.makerFee, trade.takerFee);
	}
	orderFilled(order, lots, price) {
		this.#put(7, order.order, lots, price);
		this.#put(order.executed, order.executedQuote, order.account, order.symbol);
	}
	orderClosed(order) {
		this.#put(8, order.order, order.executed, order.executedQuote);
	}
	levelChanged(symbol, version, side, price, lots) {
		this.#put(9, symbol, version, side === "buy" ? price : -price);
		this.#put(lots, 0, 0, 0);
	}
	posted(account, asset, free, held, _why, order) {
		this.#put(10, account, asset, order);
		this.#put(free, held, 0, 0);
	}
	fact(_fact) {
		this.#put(11, 0, 0, 0);
	}
	#put(first, second, third, fourth) {
		const { ring } = this;
		const at = this.at & mask;
		ring[at] = first;
		ring[at | 1] = second;
		ring[at | 2] = third;
		ring[at | 3] = fourth;
		this.at = at + 4;
	}
};
// benchmarks/w1-workload.ts
/**
* Workload W1 of `performance.md`: one symbol, 60 % new limit orders around a random-walking middle, 30 % cancels of a
* random live order, 10 % market orders, about ten thousand orders at rest. A seed gives the same operations on every
* machine; `totals` are those of a correct price-time book, so that whoever runs the workload can prove it did.
*/
const w1Operation = {
	limit: 0,
	cancel: 1,
	market: 2
};
/** The first size is the published one: 1,667,000 operations, and these totals. */
const w1Published = {
	trades: 660526,
	lots: 16865028,
	live: 10211
};
const w1PublishedSize = {
	limits: 1e6,
	depth: 1e4,
	seed: 12345
};
const middleAtStart = 1e5;
const priceCount = 1 << 18;
const users = 5e3;
/** Mulberry32, which the published totals were made with. */
function createChance(seed) {
	let state = seed >>> 0;
	const next = () => {
		state = state + 1831565813 >>> 0;
		let mixed = state;
		mixed = Math.imul(mixed ^ mixed >>> 15, mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
		return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
	};
	const normal = () => {
		let first = 0;
		do
			first = next();
		while (first === 0);
		return Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * next());
	};
	return {
		next,
		normal
	};
}
/** The simplest book that is quick enough to write the workload with: a queue of order numbers for every price. */
var GeneratorBook = class {
	#placeInLive;
	#queues;
	#best;
	constructor(ordersMax) {
		this.live = [];
		this.trades = 0;
		this.lots = 0;
		this.#queues = [[], []];
		this.#best = [-1, priceCount];
		this.open = new Int32Array(ordersMax);
		this.price = new Int32Array(ordersMax);
		this.side = new Uint8Array(ordersMax);
		this.#placeInLive = new Int32Array(ordersMax).fill(-1);
	}
	/** Takes an order off the book. */
	remove(order) {
		const place = this.#placeInLive[order];
		const last = this.live.pop();
		if (last !== order) {
			this.live[place] = last;
			this.#placeInLive[last] = place;
		}
		this.#placeInLive[order] = -1;
		this.#queues[this.side[order]][this.price[order]].live -= 1;
	}
	/** Matches up to the limit price; answers what is left. */
	take(side, quantity, limit) {
		const opposing = side ^ 1;
		let left = quantity;
		while (left > 0) {
			const price = this.#bestOf(opposing);
			if (opposing === 1 ? price >= priceCount || price > limit : price < 0 || price < limit) break;
			left = this.#takeFrom(this.#queues[opposing][price], left);
		}
		return left;
	}
	rest(order, side, price, quantity) {
		this.open[order] = quantity;
		this.price[order] = price;
		this.side[order] = side;
		this.#placeInLive[order] = this.live.length;
		this.live.push(order);
		const queue = this.#queues[side][price] ??= {
			orders: [],
			head: 0,
			live: 0
		};
		queue.orders.push(order);
		queue.live += 1;
		this.#best[side] = side === 0 ? Math.max(this.#best[0], price) : Math.min(this.#best[1], price);
	}
	#bestOf(side) {
		const step = side === 0 ? -1 : 1;
		let price = this.#best[side];
		while (price >= 0 && price < priceCount && !this.#queues[side][price]?.live) price += step;
		this.#best[side] = price;
		return price;
	}
	#takeFrom(queue, quantity) {
		let left = quantity;
		while (left > 0 && queue.live > 0) {
			const maker = queue.orders[queue.head];
			if (this.#placeInLive[maker] < 0) {
				queue.head += 1;
				continue;
			}
			const filled = Math.min(left, this.open[maker]);
			left -= filled;
			this.open[maker] -= filled;
			this.trades += 1;
			this.lots += filled;
			if (this.open[maker] === 0) {
				this.remove(maker);
				queue.head += 1;
			}
		}
		if (queue.live === 0) {
			queue.orders.length = 0;
			queue.head = 0;
		}
		return left;
	}
};
/** Writes the operations down one by one and keeps the generator's own book in step. */
var W1Writer = class {
	#chance;
	#at = 0;
	#orders = 0;
	constructor(count, seed) {
		this.#chance = createChance(seed);
		this.book = new GeneratorBook(count + 2);
		this.columns = {
			operation: new Uint8Array(count),
			side: new Uint8Array(count),
			order: new Int32Array(count),
			price: new Int32Array(count),
			quantity: new Int32Array(count),
			user: new Int32Array(count)
		};
	}
	chance() {
		return this.#chance.next();
	}
	/** A limit order some ticks away from the middle: positive is passive. */
	limit(middle, away) {
		const side = this.#side();
		const distance = away(25 * this.#chance.normal());
		const price = side === 0 ? middle - distance : middle + distance;
		const quantity = this.#quantity();
		const order = this.#write({
			operation: w1Operation.limit,
			side,
			price,
			quantity
		});
		const left = this.book.take(side, quantity, price);
		if (left > 0) this.book.rest(order, side, price, left);
	}
	market() {
		const side = this.#side();
		const quantity = this.#quantity();
		this.#write({
			operation: w1Operation.market,
			side,
			price: 0,
			quantity
		});
		this.book.take(side, quantity, side === 0 ? priceCount : -1);
	}
	cancelAny() {
		const { book } = this;
		const order = book.live[Math.floor(this.chance() * book.live.length)];
		this.#put(w1Operation.cancel, book.side[order], order, book.price[order], book.open[order], 0);
		book.remove(order);
	}
	#side() {
		return this.chance() < .5 ? 0 : 1;
	}
	#quantity() {
		return 1 + Math.floor(this.chance() * 100);
	}
	#write(order) {
		this.#orders += 1;
		const user = 2 * Math.floor(this.chance() * users) + order.side;
		this.#put(order.operation, order.side, this.#orders, order.price, order.quantity, user);
		return this.#orders;
	}
	#put(operation, side, order, price, quantity, user) {
		const { columns } = this;
		const at = this.#at;
		columns.operation[at] = operation;
		columns.side[at] = side;
		columns.order[at] = order;
		columns.price[at] = price;
		columns.quantity[at] = quantity;
		columns.user[at] = user;
		this.#at += 1;
	}
};
/** Writes the workload of a size. Feedback on the distance keeps about `depth` orders at rest. */
function generateW1({ limits, depth, seed } = w1PublishedSize) {
	const operations = Math.round(limits / .6);
	const count = depth + operations;
	const writer = new W1Writer(count, seed);
	const { book } = writer;
	let middle = middleAtStart;
	for (let index = 0; index < depth; index += 1) writer.limit(middle, (spread) => 1 + Math.abs(Math.round(spread)));
	book.trades = 0;
	book.lots = 0;
	for (let index = 0; index < operations; index += 1) {
		const drift = writer.chance();
		if (drift < .005) middle += 1;
		else if (drift < .01) middle -= 1;
		const choice = writer.chance();
		if (choice < .3 && book.live.length > 0) writer.cancelAny();
		else if (choice < .4) writer.market();
		else {
			const missing = (depth - book.live.length) * .02 * (1e4 / depth);
			const offset = Math.max(-40, Math.min(200, Math.round(25 + missing)));
			writer.limit(middle, (spread) => Math.round(spread) + offset);
		}
	}
	return {
		prefill: depth,
		count,
		...writer.columns,
		totals: {
			trades: book.trades,
			lots: book.lots,
			live: book.live.length
		}
	};
}
// src/domain/units.ts
/** Names a plain value as a unit. The only cast there is; use it at the edge where the value was checked. */
const as = (value) => value;
// src/domain/account.ts
/** Accounts of the house, opened with the exchange itself. What users hold plus what these hold is zero per asset. */
const house = {
	/** Everything outside this exchange: deposits come from here, withdrawals go there. Its balance is never positive. */
	outside: as(0),
	/** Commissions. */
	fees: as(1),
	/** Remainders of every division. */
	rounding: as(2),
	/** What rebates are paid from. */
	rebates: as(3)
};
// benchmarks/workload.ts
const pool = [];
/** How many ids there are before they come round again: long after the order that had one first is forgotten. */
const poolSize = 1 << 22;
/** Client ids `w1-0`, `w1-1`, …; made once, so that no run pays for making them. */
function clientIds(count) {
	while (pool.length < Math.min(count, poolSize)) pool.push(`w1-${pool.length}`);
	return pool;
}
/**
* The id of an operation: one made before, or a new one where the workload brings none. V8 keeps the decimals of the
* last ten thousand numbers, which each collection would have to move; it keeps no others.
*/
const clientIdOf = (workload, index) => workload.clientIds[index & 4194303] ?? `w1-${index.toString(36)}`;
/** W1 with its users taken modulo 1,000, parity kept; or modulo another even number. */
function workloadOfW1(w1, accounts = 1e3) {
	return {
		...w1,
		symbols: 1,
		accounts,
		symbol: new Uint16Array(w1.count),
		clientIds: clientIds(w1.count),
		account: w1.user.map((user) => 4 + user % accounts)
	};
}
const wideSize = {
	symbols: 2e3,
	accounts: 1e5,
	resting: 1e6,
	limits: 1e6
};
const usersOfW1 = 1e4;
/** Many small W1 streams, one a symbol, dealt out in turn: what a whole exchange sees. */
function wideWorkload(size = wideSize) {
	const { symbols, accounts } = size;
	const parts = Array.from({ length: symbols }, (_, symbol) => generateW1({
		limits: size.limits / symbols,
		depth: size.resting / symbols,
		seed: 1 + symbol
	}));
	const count = parts.reduce((sum, part) => sum + part.count, 0);
	const columns = {
		operation: new Uint8Array(count),
		side: new Uint8Array(count),
		order: new Int32Array(count),
		price: new Int32Array(count),
		quantity: new Int32Array(count),
		symbol: new Uint16Array(count),
		account: new Int32Array(count)
	};
	const numbers = parts.map((part) => new Int32Array(part.count + 2));
	const perSymbol = parts[0]?.count ?? 0;
	let orders = 0;
	let at = 0;
	for (let round = 0; round < perSymbol; round += 1) for (let turn = 0; turn < symbols; turn += 1) {
		const symbol = (turn * 7 + round * 13) % symbols;
		const part = parts[symbol];
		const local = part.order[round];
		if (part.operation[round] !== w1Operation.cancel) numbers[symbol][local] = ++orders;
		const group = Math.floor(symbol / 10) % Math.ceil(accounts / usersOfW1);
		columns.operation[at] = part.operation[round];
		columns.side[at] = part.side[round];
		columns.order[at] = numbers[symbol][local];
		columns.price[at] = part.price[round];
		columns.quantity[at] = part.quantity[round];
		columns.symbol[at] = symbol;
		columns.account[at] = 4 + (part.user[round] + group * usersOfW1) % accounts;
		at += 1;
	}
	giveCancelsTheirOwner(columns);
	const sum = (of) => parts.reduce((total, part) => total + of(part.totals), 0);
	return {
		symbols,
		accounts,
		prefill: size.resting,
		count,
		...columns,
		clientIds: clientIds(count),
		totals: {
			trades: sum(({ trades }) => trades),
			lots: sum(({ lots }) => lots),
			live: sum(({ live }) => live)
		}
	};
}
/** A cancel comes from the account that placed the order. */
function giveCancelsTheirOwner(columns) {
	const owner = new Int32Array(columns.operation.length + 2);
	columns.operation.forEach((operation, at) => {
		if (operation === w1Operation.cancel) columns.account[at] = owner[columns.order[at]];
		else owner[columns.order[at]] = columns.account[at];
	});
}
/** As the workload, with the owner of each order on its cancels: W1 itself names no user there. */
function withOwnedCancels(workload) {
	giveCancelsTheirOwner(workload);
	return workload;
}
// src/domain/event-record.ts
/** A sink that listens to nothing: spread it and override what matters. */
const deafSink = {
	entryBegan: () => {},
	orderAccepted: () => {},
	orderRepeated: () => {},
	orderRefused: () => {},
	cancelRefused: () => {},
	tradeExecuted: () => {},
	orderFilled: () => {},
	orderClosed: () => {},
	levelChanged: () => {},
	posted: () => {},
	fact: () => {}
};
// src/base/assert.ts
/** A broken invariant. Whoever catches it may only log and stop: recovery starts from the journal. */
var InvariantBroken = class extends Error {
	constructor(..._args) {
		super(..._args);
		this.name = "InvariantBroken";
	}
};
/**
* Stops the role when a fact that the code relies on does not hold. Stays on in production.
* @throws InvariantBroken with `claim` as its text.
*/
function assert(condition, claim) {
	if (!condition) throw new InvariantBroken(claim);
}
// src/domain/limits.ts
/** Every bound of the engine, with its number and where it comes from. Bounds of the wire stand in `api/limits.ts`. */
const engineLimits = {
	/** decisions.md section 2; an account may have its own. */
	openOrdersPerAccount: 500,
	/** Document 2, batchOrders. */
	ordersPerBatch: 20,
	/** A market maker's ladder in one command. */
	ordersPerRequote: 1e3,
	/** Document 2, DELETE openOrders. */
	symbolsPerCancelAll: 5,
	clientOrderIdLength: 32,
	/** How long a closed order keeps its client id. decisions.md section 1. */
	clientOrderIdKeptMs: 6e4,
	/** Document 1, 730705. */
	keysPerAccount: 30,
	/** Document 2, STP groups. */
	stpGroupsPerMaster: 10,
	/** Document 2, Listen key. */
	listenKeysPerAccount: 60,
	listenKeyLifeMs: 36e5,
	assets: 4096,
	symbols: 65536,
	assetScale: 12,
	/** Bans kept at a time; the one that ends first makes room. */
	bans: 1e5,
	/** Entries between two recorded digests, see `assertDigest`. */
	digestInterval: 4096
};
// src/base/room.ts
/** What a table may come to have without growing. Memory is taken only where something is written. */
const bytesAtFirst = 2 ** 28;
const bytesMax = 2 ** 32;
/**
* Zeroed bytes that can be made more. They begin where a page of memory does, so a record as large as a cache line is
* one; and they stay where they are when there are more of them, so growing copies nothing. Growing doubles the size
* and replaces the views: take them from the room anew whenever it may have grown. Few tables ever grow, and as long as
* one has not, V8 may take its views for constants (docs/decisions/0012).
*/
var Room = class {
	constructor() {
		this.buffer = new SharedArrayBuffer(bytesAtFirst, { maxByteLength: bytesMax });
		this.words = new Int32Array(this.buffer, 0, bytesAtFirst / Int32Array.BYTES_PER_ELEMENT);
		this.doubles = new Float64Array(this.buffer, 0, bytesAtFirst / Float64Array.BYTES_PER_ELEMENT);
		this.longs = new BigInt64Array(this.buffer, 0, bytesAtFirst / BigInt64Array.BYTES_PER_ELEMENT);
	}
	/** Doubles the size. Stops the role at the end of the room. */
	grow() {
		const bytes = this.buffer.byteLength * 2;
		assert(bytes <= bytesMax, "a table stays below its bound");
		this.buffer.grow(bytes);
		this.words = new Int32Array(this.buffer, 0, bytes / Int32Array.BYTES_PER_ELEMENT);
		this.doubles = new Float64Array(this.buffer, 0, bytes / Float64Array.BYTES_PER_ELEMENT);
		this.longs = new BigInt64Array(this.buffer, 0, bytes / BigInt64Array.BYTES_PER_ELEMENT);
	}
};
// src/engine/accounts/account-table.ts
/** Bits of an account that trading looks at; an account with none set is the plain case. */
const accountFlag = {
	unusable: 1,
	ownRates: 2,
	feeDeduction: 4
};
const houseNames = [
	"outside",
	"fees",
	"rounding",
	"rebates"
];
/**
* Words of an account's record of 32 bytes. `openOrders`: first line of its open orders, -1 when it has none.
* `groupsOwned`: self-trade-prevention groups that it has as a master. `groupOfMember`: the one group that it stands
* in, 0 if none, -1 if several.
*/
const accountWord = {
	flags: 0,
	master: 1,
	openCount: 2,
	openMax: 3,
	openOrders: 4,
	groupsOwned: 5,
	groupOfMember: 6
};
/** Every account by its dense id: the record people see, and beside it the words that the match loop reads. */
var AccountTable = class {
	constructor() {
		this.records = [];
		this.room = new Room();
		this.words = this.room.words;
		this.byUid = /* @__PURE__ */ new Map();
		for (let id = 0; id < 4; id += 1) this.add({
			account: as(id),
			uid: as(id + 1),
			name: `house:${houseNames[id]}`,
			master: as(id),
			class: "user",
			status: "normal",
			kycLevel: 4,
			simulated: true,
			feeDeduction: false,
			makerFeePpm: null,
			takerFeePpm: null,
			openOrdersMax: engineLimits.openOrdersPerAccount,
			openedAt: as(0)
		});
	}
	get size() {
		return this.records.length;
	}
	isUser(account) {
		return Number.isInteger(account) && account >= 4 && account < this.records.length;
	}
	get(account) {
		return this.records[account] ?? null;
	}
	find(uid) {
		return this.byUid.get(uid) ?? null;
	}
	/** Adds the account with the next id, or replaces the record of one that exists. */
	put(record) {
		if (record.account === this.records.length) {
			this.add(record);
			return;
		}
		assert(record.account < this.records.length, "accounts are opened in the order of their ids");
		assert(record.account > house.rebates, "house accounts never change");
		this.records[record.account] = record;
		this.mirror(record);
	}
	add(record) {
		assert(!this.byUid.has(record.uid), "a uid stands for one account");
		const id = this.records.length;
		if (id + 1 << 3 > this.words.length) {
			this.room.grow();
			this.words = this.room.words;
		}
		this.records.push(record);
		this.byUid.set(record.uid, record.account);
		this.words[id << 3 | accountWord.openOrders] = -1;
		this.mirror(record);
	}
	mirror(record) {
		const word = record.account << 3;
		this.words[word | accountWord.master] = record.master;
		this.words[word | accountWord.openMax] = record.openOrdersMax;
		this.words[word | accountWord.flags] = (record.status === "normal" ? 0 : accountFlag.unusable) | (record.makerFeePpm !== null || record.takerFeePpm !== null ? accountFlag.ownRates : 0) | (record.feeDeduction ? accountFlag.feeDeduction : 0);
	}
};
// src/engine/commands/command-function.ts
/** Tells that a command other than an order changed nothing. */
function refuse(state, reason) {
	state.emit.fact({
		kind: "commandRefused",
		reason
	});
}
// src/engine/commands/account-commands.ts
/** Opens an account with the next id. */
const openAccount = (state, command) => {
	const { accounts } = state;
	if (accounts.find(command.uid) !== null) {
		refuse(state, "uidInUse");
		return;
	}
	if (command.master !== null && !isMaster(state, command.master)) {
		refuse(state, "unknownAccount");
		return;
	}
	const account = as(accounts.size);
	accounts.put({
		account,
		uid: command.uid,
		name: command.name,
		master: command.master ?? account,
		class: command.class,
		status: "normal",
		kycLevel: command.kycLevel,
		simulated: command.simulated,
		feeDeduction: false,
		makerFeePpm: null,
		takerFeePpm: null,
		openOrdersMax: engineLimits.openOrdersPerAccount,
		openedAt: state.at
	});
	state.emit.fact({
		kind: "accountOpened",
		account: accounts.get(account)
	});
};
const isMaster = (state, account) => state.accounts.isUser(account) && state.accounts.words[account << 3 | accountWord.master] === account;
const setAccountStatus = (state, { account, status }) => change(state, account, { status });
const setAccountTerms = (state, command) => {
	const { account, makerFeePpm, takerFeePpm, openOrdersMax } = command;
	const isRate = (ppm) => ppm === null || Number.isInteger(ppm) && ppm >= 0 && ppm <= 1e6;
	if (!isRate(makerFeePpm) || !isRate(takerFeePpm) || !Number.isInteger(openOrdersMax) || openOrdersMax < 0) {
		refuse(state, "invalidConfiguration");
		return;
	}
	change(state, account, {
		makerFeePpm,
		takerFeePpm,
		openOrdersMax
	});
};
const setFeeDeduction = (state, { account, enabled }) => change(state, account, { feeDeduction: enabled });
function change(state, account, part) {
	if (!state.accounts.isUser(account)) {
		refuse(state, "unknownAccount");
		return;
	}
	state.accounts.put({
		...state.accounts.get(account),
		...part
	});
	state.emit.fact({
		kind: "accountChanged",
		account: state.accounts.get(account)
	});
}
/** Brings money in from outside, as far as the asset's cap allows. */
const creditFunds = (state, { account, asset, amount }) => {
	const rules = state.assets[asset];
	if (!state.accounts.isUser(account)) refuse(state, "unknownAccount");
	else if (rules === void 0) refuse(state, "unknownAsset");
	else if (amount <= 0n) refuse(state, "invalidConfiguration");
	else if (outsideDebt(state, house.outside, asset) + amount > rules.cap) refuse(state, "aboveAssetCap");
	else state.ledger.move(house.outside, account, asset, amount, "deposit");
};
/** How much of an asset exists on this exchange: what the outside has given. */
function outsideDebt(state, outside, asset) {
	const row = state.ledger.balances.find(outside, asset);
	return row < 0 ? 0n : -state.ledger.balances.free.get(row);
}
const createApiKey = (state, command) => {
	const { account, accessKey, note, permissions, ips, sealedSecret } = command;
	if (!state.accounts.isUser(account)) refuse(state, "unknownAccount");
	else if (state.keys.byAccessKey.has(accessKey)) refuse(state, "accessKeyInUse");
	else if (state.keys.of(account).length >= engineLimits.keysPerAccount) refuse(state, "tooManyKeys");
	else {
		const key = {
			accessKey,
			account,
			note,
			permissions,
			ips: [...ips],
			sealedSecret,
			createdAt: state.at
		};
		state.keys.put(key);
		state.emit.fact({
			kind: "apiKeyCreated",
			key
		});
	}
};
const deleteApiKey = (state, { account, accessKey }) => {
	const key = state.keys.byAccessKey.get(accessKey);
	if (key === void 0 || key.account !== account) {
		refuse(state, "unknownKey");
		return;
	}
	state.keys.delete(key);
	state.emit.fact({
		kind: "apiKeyDeleted",
		account,
		accessKey
	});
};
// src/engine/commands/listen-key-commands.ts
const createListenKey = (state, { account, keyHash, sealedKey }) => {
	if (!state.accounts.isUser(account)) refuse(state, "unknownAccount");
	else if (state.listenKeys.get(keyHash) !== null) refuse(state, "listenKeyInUse");
	else if (state.listenKeys.of(account).length >= engineLimits.listenKeysPerAccount) refuse(state, "tooManyListenKeys");
	else keepValid(state, {
		keyHash,
		account,
		sealedKey,
		createdAt: state.at,
		expiresAt: state.at
	});
};
const renewListenKey = (state, { account, keyHash }) => {
	const key = ownKey(state, account, keyHash);
	if (key !== null) keepValid(state, key);
};
const deleteListenKey = (state, { account, keyHash }) => {
	const key = ownKey(state, account, keyHash);
	if (key !== null) close(state, key);
};
/** Closes keys whose hour is over. Called before every command. */
function closeExpiredListenKeys(state) {
	for (let key = state.listenKeys.expired(state.at); key !== null; key = state.listenKeys.expired(state.at)) close(state, key);
}
function keepValid(state, key) {
	const valid = {
		...key,
		expiresAt: state.at + engineLimits.listenKeyLifeMs
	};
	state.listenKeys.put(valid);
	state.emit.fact({
		kind: "listenKeyValid",
		key: valid
	});
}
function close(state, key) {
	state.listenKeys.delete(key);
	state.emit.fact({
		kind: "listenKeyClosed",
		account: key.account,
		keyHash: key.keyHash
	});
}
function ownKey(state, account, keyHash) {
	const key = state.listenKeys.get(keyHash);
	if (key !== null && key.account === account) return key;
	refuse(state, "unknownListenKey");
	return null;
}
// src/base/decimal.ts
/** 10^0 to 10^36. */
const powersOfTen = Array.from({ length: 37 }, (_, exponent) => 10n ** BigInt(exponent));
Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);
BigInt(Number.MAX_SAFE_INTEGER);
// src/engine/book/book-record.ts
/** Doubles of a book's record. `bestKey`: of bids, then of asks, as the sides sort their prices. */
const bookDouble = {
	quotePerTickLot: 0,
	basePerLot: 1,
	lastPrice: 2,
	version: 3,
	trades: 4,
	bestKey: 5,
	minLots: 7,
	minNotional: 8,
	minNotionalMarket: 9,
	maxNotional: 10,
	maxNotionalMarket: 11,
	bidMultiplierUpPpm: 12,
	askMultiplierDownPpm: 13
};
/** Words of the same record; they start after the doubles. `bestLevel` and `allowed` are two each, buying first. */
const bookWord = {
	symbol: 28,
	base: 29,
	quote: 30,
	makerFeePpm: 31,
	takerFeePpm: 32,
	collarPpm: 33,
	bestLevel: 34,
	allowed: 36
};
/** A record is 256 bytes, of which three cache lines are in use. */
const recordShift = 5;
/**
* The numbers of all books that every order passes: a few lines of memory side by side, where objects of their own
* would lie about the heap.
*/
var BookRecords = class {
	constructor() {
		this.room = new Room();
		this.used = 0;
		this.doubles = this.room.doubles;
		this.words = this.room.words;
	}
	/** A new record; answers the place of its first double. Its words start at twice that. */
	take() {
		assert(this.used < engineLimits.symbols, "there is a record for every symbol");
		return this.used++ << recordShift;
	}
};
// src/engine/book/level-table.ts
const wordsShift$2 = 3;
const doublesShift$1 = 2;
const lotsAt = 1;
const queueAt = 4;
/** Price levels of all books: price and total lots, and the queue of orders by its first line. 32 bytes each. */
var LevelTable = class {
	constructor() {
		this.room = new Room();
		this.used = 0;
		this.freeHead = -1;
	}
	open(price) {
		let level = this.freeHead;
		if (level >= 0) this.freeHead = this.room.words[level << wordsShift$2 | queueAt];
		else {
			if (this.used + 1 << doublesShift$1 > this.room.doubles.length) this.room.grow();
			level = this.used++;
		}
		this.room.doubles[level << doublesShift$1] = price;
		this.room.doubles[level << doublesShift$1 | lotsAt] = 0;
		this.room.words[level << wordsShift$2 | queueAt] = -1;
		return level;
	}
	close(level) {
		this.room.words[level << wordsShift$2 | queueAt] = this.freeHead;
		this.freeHead = level;
	}
	/** Reads a level, so that it is at hand soon; what it answers means nothing. */
	touch(level) {
		return level < 0 ? 0 : this.room.words[level << wordsShift$2];
	}
	price(level) {
		return this.room.doubles[level << doublesShift$1];
	}
	lots(level) {
		return this.room.doubles[level << doublesShift$1 | lotsAt];
	}
	addLots(level, lots) {
		const after = this.room.doubles[level << doublesShift$1 | lotsAt] + lots;
		this.room.doubles[level << doublesShift$1 | lotsAt] = after;
		return after;
	}
	/** First line of the queue, -1 when it is empty. */
	queue(level) {
		return this.room.words[level << wordsShift$2 | queueAt];
	}
	setQueue(level, line) {
		this.room.words[level << wordsShift$2 | queueAt] = line;
	}
};
// src/base/hash-index.ts
const bucketShift = 4;
const pairsPerBucket = 7;
const linkAt = 14;
const countAt = 15;
/** Pairs per bucket, on average, beyond which the index grows. */
const pairsOnAverage = 4;
/**
* Where records are, by the hash of their key. The index grows by one bucket at a time (linear hashing), so no single
* entry pays for the rest, and any number of equal hashes only makes a longer chain. Whoever looks verifies the key:
* `for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) if (isWanted(index.reference(at))) …`
*/
var HashIndex = class {
	constructor() {
		this.count = 0;
		this.room = new Room();
		this.spillRoom = new Room();
		this.spillUsed = 1;
		this.spillFree = 0;
		this.buckets = 16;
		this.lowMask = 15;
		this.highMask = 31;
	}
	/** Reads where the entries of this hash are, so that they are at hand soon; what it answers means nothing. */
	touch(hash) {
		return this.room.words[this.bucketOf(hash) << bucketShift | countAt];
	}
	/** Position of the first entry with this hash, -1 if none. */
	first(hash) {
		const words = this.room.words;
		const base = this.bucketOf(hash) << bucketShift;
		const end = base + (words[base | countAt] << 1);
		for (let at = base; at < end; at += 2) if (words[at] === hash) return at;
		const link = words[base | linkAt];
		return link === 0 ? -1 : this.inSpill(link, hash);
	}
	/** Position of the next entry with the same hash, -1 if none. */
	next(position, hash) {
		const words = position >= 0 ? this.room.words : this.spillRoom.words;
		const from = position >= 0 ? position : ~position;
		const base = from & -16;
		const end = base + (words[base | countAt] << 1);
		for (let at = from + 2; at < end; at += 2) if (words[at] === hash) return position >= 0 ? at : ~at;
		const link = words[base | linkAt];
		return link === 0 ? -1 : this.inSpill(link, hash);
	}
	/** What was entered at a position that `first` or `next` gave. */
	reference(position) {
		return position >= 0 ? this.room.words[position | 1] : this.spillRoom.words[~position | 1];
	}
	/** Enters a reference, a signed 32-bit integer. The same pair must not be there yet. */
	add(hash, reference) {
		this.count += 1;
		if (this.count > this.buckets * pairsOnAverage) this.splitOne();
		this.enter(hash, reference);
	}
	/** Gives a pair that is there another reference. */
	replace(hash, from, to) {
		const position = this.positionOf(hash, from);
		if (position >= 0) this.room.words[position + 1] = to;
		else this.spillRoom.words[~position + 1] = to;
	}
	/** Takes out a pair that is there. */
	remove(hash, reference) {
		const position = this.positionOf(hash, reference);
		this.count -= 1;
		const words = this.room.words;
		const base = this.bucketOf(hash) << bucketShift;
		if (words[base | linkAt] !== 0) {
			this.removeFromChain(base, position);
			return;
		}
		const count = words[base | countAt] - 1;
		const last = base + (count << 1);
		words[position] = words[last];
		words[position + 1] = words[last + 1];
		words[base | countAt] = count;
	}
	bucketOf(hash) {
		const bucket = hash & this.highMask;
		return bucket < this.buckets ? bucket : hash & this.lowMask;
	}
	positionOf(hash, reference) {
		let position = this.first(hash);
		while (position !== -1 && this.reference(position) !== reference) position = this.next(position, hash);
		assert(position !== -1, "what is taken out of an index is there");
		return position;
	}
	inSpill(link, hash) {
		const spill = this.spillRoom.words;
		for (let bucket = link; bucket !== 0; bucket = spill[bucket << bucketShift | linkAt]) {
			const base = bucket << bucketShift;
			const end = base + (spill[base | countAt] << 1);
			for (let at = base; at < end; at += 2) if (spill[at] === hash) return ~at;
		}
		return -1;
	}
	/** Appends to the first bucket of the chain with room, or to a new one right behind the full first. */
	append(base, hash, reference) {
		const { words } = this.room;
		let bucket = words[base | linkAt];
		if (bucket === 0 || this.spillRoom.words[bucket << bucketShift | countAt] === pairsPerBucket) {
			const fresh = this.takeSpill();
			this.spillRoom.words[fresh << bucketShift | linkAt] = bucket;
			words[base | linkAt] = fresh;
			bucket = fresh;
		}
		const spill = this.spillRoom.words;
		const at = bucket << bucketShift;
		const count = spill[at | countAt];
		spill[at + (count << 1)] = hash;
		spill[at + (count << 1) + 1] = reference;
		spill[at | countAt] = count + 1;
	}
	/** Fills the hole with the newest pair of the chain, which stands in the bucket right behind the first. */
	removeFromChain(base, position) {
		const { words } = this.room;
		const spill = this.spillRoom.words;
		const bucket = words[base | linkAt];
		const at = bucket << bucketShift;
		const count = spill[at | countAt] - 1;
		const last = at + (count << 1);
		const into = position >= 0 ? words : spill;
		const hole = position >= 0 ? position : ~position;
		into[hole] = spill[last];
		into[hole + 1] = spill[last + 1];
		spill[at | countAt] = count;
		if (count === 0) {
			words[base | linkAt] = spill[at | linkAt];
			this.giveSpill(bucket);
		}
	}
	takeSpill() {
		const bucket = this.spillFree;
		if (bucket !== 0) {
			this.spillFree = this.spillRoom.words[bucket << bucketShift | linkAt];
			return bucket;
		}
		if (this.spillUsed + 1 << bucketShift > this.spillRoom.words.length) this.spillRoom.grow();
		return this.spillUsed++;
	}
	giveSpill(bucket) {
		this.spillRoom.words[bucket << bucketShift | linkAt] = this.spillFree;
		this.spillFree = bucket;
	}
	/** Adds one bucket and shares out the pairs of the one whose hashes it takes over. */
	splitOne() {
		if (this.buckets + 1 << bucketShift > this.room.words.length) this.room.grow();
		const { words } = this.room;
		const from = (this.buckets & this.lowMask) << bucketShift;
		const count = words[from | countAt];
		let link = words[from | linkAt];
		this.buckets += 1;
		if (this.buckets > this.highMask) {
			this.lowMask = this.highMask;
			this.highMask = this.highMask * 2 + 1;
		}
		words[from | countAt] = 0;
		words[from | linkAt] = 0;
		for (let at = from; at < from + (count << 1); at += 2) this.enter(words[at], words[at + 1]);
		while (link !== 0) {
			const spill = this.spillRoom.words;
			const base = link << bucketShift;
			const inLink = spill[base | countAt];
			const following = spill[base | linkAt];
			const pairs = spill.slice(base, base + (inLink << 1));
			spill[base | countAt] = 0;
			this.giveSpill(link);
			for (let at = 0; at < pairs.length; at += 2) this.enter(pairs[at], pairs[at + 1]);
			link = following;
		}
	}
	enter(hash, reference) {
		const base = this.bucketOf(hash) << bucketShift;
		const { words } = this.room;
		const count = words[base | countAt];
		if (count === pairsPerBucket) {
			this.append(base, hash, reference);
			return;
		}
		words[base + (count << 1)] = hash;
		words[base + (count << 1) + 1] = reference;
		words[base | countAt] = count + 1;
	}
};
// src/engine/book/client-id-text.ts
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
const outside = 64;
const codeOf = (/* @__PURE__ */ new Uint8Array(65536)).fill(outside);
for (let code = 0; code < 64; code += 1) codeOf[alphabet.charCodeAt(code)] = code;
const charactersPerWord = 5;
const lengthMax = 32;
/** Words that so many characters take: the alphabet has 64, so five fit a word and comparing is comparing numbers. */
const wordsOf = (length) => (length + charactersPerWord - 1) / charactersPerWord | 0;
/** A client order id as numbers, with its owner. One serves every order in turn. */
var PackedId = class {
	constructor() {
		this.length = 0;
		this.account = 0;
		this.text = "";
		this.hash = 0;
		this.words = new Int32Array(wordsOf(lengthMax));
	}
	/** Packs 1 to 32 characters of `[A-Za-z0-9_-]`; answers whether the text is such an id. */
	pack(account, text) {
		const { words } = this;
		const length = text.length;
		this.length = 0;
		this.account = account;
		this.text = text;
		if (length === 0 || length > lengthMax) return false;
		let hash = startOfHash(account, length);
		let at = 0;
		for (let index = 0; index < length; at += 1) {
			const end = Math.min(index + charactersPerWord, length);
			let word = 0;
			let outsiders = 0;
			for (let shift = 0; index < end; index += 1, shift += 6) {
				const code = codeOf[text.charCodeAt(index)];
				outsiders |= code;
				word |= code << shift;
			}
			if (outsiders >= outside) return false;
			words[at] = word;
			hash = mixed(hash, word);
		}
		this.length = length;
		this.hash = hash;
		return true;
	}
};
/** The hash that `PackedId` gives an id, from the words it was packed in. */
function hashOfRecord(account, words, at, length) {
	let hash = startOfHash(account, length);
	const end = at + wordsOf(length);
	for (let index = at; index < end; index += 1) hash = mixed(hash, words[index]);
	return hash;
}
/** The id that is packed in a record, as its owner wrote it. */
function textOfRecord(words, at, length) {
	let text = "";
	for (let index = 0; index < length; index += 1) {
		const word = words[at + Math.floor(index / charactersPerWord)];
		text += alphabet[word >>> index % charactersPerWord * 6 & 63];
	}
	return text;
}
const startOfHash = (account, length) => Math.imul(account, 2654435761) ^ length;
function mixed(hash, word) {
	const product = Math.imul(hash ^ word, 2246822507);
	return product ^ product >>> 15;
}
// src/domain/order.ts
/** In the order of the pushed integers, which count from 1. Document 2, Events. */
const orderKinds = [
	"limit",
	"postOnly",
	"immediateOrCancel",
	"fillOrKill",
	"market"
];
/** Self-trade prevention asked for by an order; `none` lets self trades execute. */
const stpModes = [
	"none",
	"cancelMaker",
	"cancelTaker",
	"cancelBoth"
];
/** Why an order left the book or never reached it. */
const closeReasons = [
	"filled",
	"byUser",
	"stp",
	"unfilledRest",
	"collar",
	"byExchange"
];
/** Status of an order from its numbers and from whether it is closed. decisions.md section 3. */
function statusOf(executed, closed) {
	if (closed === null) return executed === 0 ? "new" : "partiallyFilled";
	if (closed === "filled") return "filled";
	return executed === 0 ? "canceled" : "partiallyCanceled";
}
// src/engine/book/order-table.ts
/** Doubles of an order's record. `asked` is the quantity asked for, or the quote amount of an order by budget. */
const orderDouble = {
	number: 0,
	price: 1,
	asked: 2,
	open: 3,
	executedQuote: 4,
	acceptedAt: 5,
	updatedAt: 6
};
/**
* Words of the same record; they start after the doubles. From `idHash` on they matter only while the order lives:
* `level` and `levelLine` place it in its queue, `accountLine` in its account's list; -1 where it stands in none.
*/
const orderWord = {
	account: 14,
	symbol: 15,
	flags: 16,
	clientId: 17,
	idHash: 24,
	level: 25,
	levelLine: 26,
	accountLine: 27,
	hold: 28,
	gives: 29,
	gets: 30
};
/**
* Layout of the flags word: side 1 bit, kind 3, stp 2, close reason + 1 in 4, by quote amount 1, length of the client
* id 6.
*/
const sideBit = 1;
const kindAt = 1;
const stpAt = 4;
const reasonAt = 6;
const byBudgetBit = 1024;
const idLengthAt = 11;
/** The small facts of an order in one word; a closed one adds its reason. */
const packFlags = (side, kind, stp, byBudget) => side | kind << kindAt | stp << stpAt | (byBudget ? byBudgetBit : 0);
/** The flags with the length of the client id, 0 when there is none. */
const withIdLength = (flags, length) => flags & 2047 | length << idLengthAt;
/** Length of the client id, 0 when there is none. */
const idLengthOfFlags = (flags) => flags >>> idLengthAt;
/** Whether the order is by quote amount. */
const isByBudgetFlags = (flags) => (flags & byBudgetBit) !== 0;
/** Index into `orderKinds`. */
const kindOfFlags = (flags) => flags >> kindAt & 7;
/** Index into `stpModes`. */
const stpOfFlags = (flags) => flags >> stpAt & 3;
/** Index into `orderKinds`; comparing names is comparing addresses, so this is faster than a search. */
function kindCode(kind) {
	switch (kind) {
		case "limit": return 0;
		case "postOnly": return 1;
		case "immediateOrCancel": return 2;
		case "fillOrKill": return 3;
		case "market": return 4;
	}
}
/** Index into `stpModes`. */
function stpCode(mode) {
	switch (mode) {
		case "none": return 0;
		case "cancelMaker": return 1;
		case "cancelTaker": return 2;
		case "cancelBoth": return 3;
	}
}
/** Index into `closeReasons`, from 1. */
function reasonCode(reason) {
	switch (reason) {
		case "filled": return 1;
		case "byUser": return 2;
		case "stp": return 3;
		case "unfilledRest": return 4;
		case "collar": return 5;
		case "byExchange": return 6;
	}
}
/** Records of live orders, addressed by slot. The slot that was freed last is the next to be taken: it is at hand. */
var OrderTable = class {
	constructor() {
		this.records = new Room();
		this.used = 0;
		this.free = new Room();
		this.freeCount = 0;
		this.doubles = this.records.doubles;
		this.words = this.records.words;
	}
	/** Slots in use. */
	get count() {
		return this.used - this.freeCount;
	}
	take() {
		if (this.freeCount > 0) {
			this.freeCount -= 1;
			return this.free.words[this.freeCount];
		}
		if (this.used << 4 === this.doubles.length) this.grow();
		return this.used++;
	}
	give(slot) {
		if (this.freeCount === this.free.words.length) this.free.grow();
		this.free.words[this.freeCount] = slot;
		this.freeCount += 1;
	}
	grow() {
		this.records.grow();
		this.doubles = this.records.doubles;
		this.words = this.records.words;
	}
};
/** Shows one record as the order its owner sees. Cheap to point elsewhere. */
var OrderCursor = class {
	constructor(table) {
		this.double = 0;
		this.word = 0;
		this.live = table.records;
		this.records = table.records;
	}
	/** Points at a live order. */
	at(slot) {
		return this.atRecord(this.live, slot);
	}
	/** Points at a record elsewhere. */
	atRecord(records, position) {
		this.records = records;
		this.double = position << 4;
		this.word = position << 5;
		return this;
	}
	get order() {
		return this.records.doubles[this.double];
	}
	get account() {
		return this.records.words[this.word | orderWord.account];
	}
	get symbol() {
		return this.records.words[this.word | orderWord.symbol];
	}
	get side() {
		return (this.flags & sideBit) === 0 ? "buy" : "sell";
	}
	get kind() {
		return orderKinds[kindOfFlags(this.flags)];
	}
	get stpMode() {
		return stpModes[stpOfFlags(this.flags)];
	}
	get price() {
		return this.records.doubles[this.double | orderDouble.price];
	}
	/** The quantity asked for; 0 of an order by quote amount. */
	get askedQuantity() {
		return this.isByBudget ? 0 : this.records.doubles[this.double | orderDouble.asked];
	}
	get quantity() {
		return this.records.doubles[this.double + (this.isByBudget ? orderDouble.open : orderDouble.asked)];
	}
	get budget() {
		return this.isByBudget ? this.records.doubles[this.double | orderDouble.asked] : null;
	}
	get executed() {
		const open = this.records.doubles[this.double | orderDouble.open];
		return this.isByBudget ? open : this.records.doubles[this.double | orderDouble.asked] - open;
	}
	get executedQuote() {
		return this.records.doubles[this.double | orderDouble.executedQuote];
	}
	get clientOrderId() {
		const length = idLengthOfFlags(this.flags);
		return length === 0 ? null : textOfRecord(this.records.words, this.word | orderWord.clientId, length);
	}
	get closeReason() {
		const reason = this.flags >> reasonAt & 15;
		return reason === 0 ? null : closeReasons[reason - 1];
	}
	get status() {
		return statusOf(this.executed, this.closeReason);
	}
	get acceptedAt() {
		return this.records.doubles[this.double | orderDouble.acceptedAt];
	}
	get updatedAt() {
		return this.records.doubles[this.double | orderDouble.updatedAt];
	}
	get isByBudget() {
		return (this.flags & byBudgetBit) !== 0;
	}
	get flags() {
		return this.records.words[this.word | orderWord.flags];
	}
};
/** Marks a record closed. */
function closeRecord(table, slot, reason, now) {
	const at = slot << 5 | orderWord.flags;
	table.words[at] = table.words[at] | reasonCode(reason) << reasonAt;
	table.doubles[slot << 4 | orderDouble.updatedAt] = now;
}
/** Records lie in blocks of this many, which are used again once all that is in them is forgotten. */
const blockShift = 12;
/** Blocks in use at most: as many as a room can come to hold. */
const blocksMax = 8192;
/** Whether an order that closed then has lost its client id by now. decisions.md section 1, Client order ids. */
const isIdFree = (closedAt, now) => closedAt + engineLimits.clientOrderIdKeptMs < now;
/**
* Closed orders whose client ids are still kept, in the order in which they closed: they are added in front and
* forgotten from behind, and none of them ever moves. Each order has a turn, a running number. A record looks like that
* of a live order, but from `idHash` on it means nothing.
*/
var ClosedOrders = class {
	constructor() {
		this.records = new Room();
		this.earliest = 0;
		this.end = 0;
		this.blocks = new Int32Array(blocksMax);
		this.blocksUsed = 0;
		this.freeBlocks = [];
	}
	/** Position of a record, whose turn may have been cut to 31 bits. */
	position(turn) {
		return this.blocks[blockOrder(turn)] << blockShift | turn & 4095;
	}
	/** Whether so many orders, the earliest ones, have lost their client ids. */
	areOver(count, now) {
		return this.end - this.earliest >= count && this.isOver(this.earliest + count - 1, now);
	}
	/** Whether a reference stands for an order that is kept, given those bits of its turn that a reference has. */
	isKept(turn) {
		return (turn - this.earliest & 2147483647) < this.end - this.earliest;
	}
	/** Copies the record of a closed order; answers its turn. */
	add(orders, slot) {
		const turn = this.end;
		if ((turn & 4095) === 0) this.blocks[blockOrder(turn)] = this.takeBlock();
		this.end += 1;
		copyRecord(orders.doubles, slot << 4, this.records.doubles, this.position(turn) << 4);
		return turn;
	}
	/** Forgets the earliest orders, `forgottenAtOnce` of them. */
	forgetEarliest() {
		const block = this.blocks[blockOrder(this.earliest)];
		this.earliest += 8;
		if ((this.earliest & 4095) === 0) this.freeBlocks.push(block);
	}
	/** Turns of the orders whose ids are kept now, the earliest closed first. */
	turns(now) {
		const turns = [];
		for (let turn = this.earliest; turn < this.end; turn += 1) if (!this.isOver(turn, now)) turns.push(turn);
		return turns;
	}
	isOver(turn, now) {
		return isIdFree(this.records.doubles[this.position(turn) << 4 | orderDouble.updatedAt], now);
	}
	takeBlock() {
		const reused = this.freeBlocks.pop();
		if (reused !== void 0) return reused;
		assert(this.blocksUsed < blocksMax, "closed orders stay below their bound");
		this.blocksUsed += 1;
		if (this.blocksUsed << 17 > this.records.words.length) this.records.grow();
		return this.blocksUsed - 1;
	}
};
/** Where the block of a turn is noted; the turn may have been cut to 31 bits. */
const blockOrder = (turn) => turn >>> blockShift & 8191;
/**
* Copies what comes before `idHash`: twelve doubles, of which the last five are pairs of words. None of those words is
* so large that a pair could be no number. Written out, because a loop costs three times as much, at every order.
*/
function copyRecord(source, from, target, to) {
	target[to] = source[from];
	target[to | 1] = source[from | 1];
	target[to | 2] = source[from | 2];
	target[to | 3] = source[from | 3];
	target[to | 4] = source[from | 4];
	target[to | 5] = source[from | 5];
	target[to | 6] = source[from | 6];
	target[to | 7] = source[from | 7];
	target[to | 8] = source[from | 8];
	target[to | 9] = source[from | 9];
	target[to | 10] = source[from | 10];
	target[to | 11] = source[from | 11];
}
// src/engine/book/order-reference.ts
/**
* What an index answers for an order: the slot of a live one, a number below zero for a closed one whose record is
* kept, or one of the two below.
*/
/** There is no such order. */
const noOrder = 2147483647;
/** What was asked for cannot be the id of an order. */
const notAnId = 2147483646;
/** Whether the answer is an order. */
const isOrder = (reference) => reference < notAnId;
/** Slot of the live order that was answered, -1 if it was none. */
const slotOf = (reference) => reference < 0 || !isOrder(reference) ? -1 : reference;
/** The reference to a closed order by its turn, which it keeps 31 bits of. */
const closedReference = (turn) => ~(turn & 2147483647);
/** Those bits of the turn that a reference to a closed order was made of. */
const turnOf = (reference) => ~reference;
/**
* Client order ids in use, by account: of open orders, and of closed ones as long as a retry may come. An id itself
* stands in its order's record.
*/
var ClientIds = class {
	constructor(orders, closed, numbers) {
		this.index = new HashIndex();
		this.leaving = /* @__PURE__ */ new Int32Array(8);
		this.expected = Array.from({ length: 16 }, () => new PackedId());
		this.nextExpected = 0;
		this.expectedEnd = 0;
		this.unexpected = new PackedId();
		this.wanted = this.unexpected;
		this.onItsWay = 0;
		this.orders = orders;
		this.closed = closed;
		this.numbers = numbers;
	}
	/** The order that an account's id stands for now, `noOrder` if there is none (any more), or `notAnId`. */
	find(account, text, now) {
		return this.want(account, text) ? this.findWanted(now) : notAnId;
	}
	/**
	* Names the id to be looked for; answers whether the text can be one. Where it is looked for is on its way from
	* memory when this returns, so whoever has other things to do does them first.
	*/
	want(account, text) {
		const next = this.expected[this.nextExpected];
		if (this.nextExpected < this.expectedEnd && next.account === account && next.text === text) {
			this.nextExpected += 1;
			this.wanted = next;
			return this.wanted.length > 0;
		}
		this.wanted = this.unexpected;
		if (!this.wanted.pack(account, text)) return false;
		this.onItsWay = this.index.touch(this.wanted.hash);
		return true;
	}
	/** Forgets what was expected. */
	expectNone() {
		this.nextExpected = 0;
		this.expectedEnd = 0;
	}
	/** Packs an id that will be wanted soon; they come in this order, `idsAtOnce` at most. */
	expect(account, text) {
		this.expected[this.expectedEnd].pack(account, text);
		this.expectedEnd += 1;
	}
	/** Reads where the expected ids are looked for, so that it is at hand soon; what it answers means nothing. */
	touchExpected() {
		const { expected, expectedEnd, index } = this;
		let sum = 0;
		for (let at = 0; at < expectedEnd; at += 1) sum ^= index.touch(expected[at].hash);
		return sum;
	}
	/** The order that the wanted id stands for now, `noOrder` if there is none (any more). */
	findWanted(now) {
		const { index, wanted, numbers } = this;
		for (let at = index.first(wanted.hash); at !== -1; at = index.next(at, wanted.hash)) {
			const low = index.reference(at);
			const late = numbers.lateAt(low);
			if (late !== 2147483647 && this.isWanted(late, now)) return late;
			for (const old of numbers.oldWith(low)) if (this.isWanted(old, now)) return old;
		}
		return noOrder;
	}
	/** Writes the id that was last looked for into a record of the same account; the record has its account and flags. */
	writeFound(slot) {
		const { wanted } = this;
		const { words } = this.orders;
		const word = slot << 5;
		words[word | orderWord.flags] = withIdLength(words[word | orderWord.flags], wanted.length);
		words[word | orderWord.idHash] = wanted.hash;
		const end = wordsOf(wanted.length);
		for (let at = 0; at < end; at += 1) words[word | orderWord.clientId + at] = wanted.words[at];
	}
	/** Writes an id into a record that has its account and flags. */
	write(slot, text) {
		this.wanted = this.unexpected;
		assert(this.wanted.pack(this.orders.words[slot << 5 | orderWord.account], text), "an order has a client id that is one");
		this.writeFound(slot);
	}
	/** Enters the id in the record of an order that has its slot still; it is not in use. */
	add(slot) {
		const { doubles, words } = this.orders;
		this.index.add(words[slot << 5 | orderWord.idHash], doubles[slot << 4] | 0);
	}
	/** Takes out the ids of the earliest closed orders, `forgottenAtOnce` of them; their records are there still. */
	forgetClosed() {
		const { closed, index, leaving } = this;
		const { words, doubles } = closed.records;
		let sum = 0;
		for (let at = 0; at < 8; at += 1) {
			const word = closed.position(closed.earliest + at) << 5;
			const length = idLengthOfFlags(words[word | orderWord.flags]);
			leaving[at] = hashOfRecord(words[word | orderWord.account], words, word | orderWord.clientId, length);
		}
		for (let at = 0; at < 8; at += 1) sum ^= index.touch(leaving[at]);
		this.onItsWay = sum;
		for (let at = 0; at < 8; at += 1) {
			const number = doubles[closed.position(closed.earliest + at) << 4];
			index.remove(leaving[at], number | 0);
		}
	}
	isWanted(reference, now) {
		if (reference >= 0) return this.hasWantedId(this.orders.words, reference << 5);
		const { records } = this.closed;
		const position = this.closed.position(turnOf(reference));
		return this.hasWantedId(records.words, position << 5) && !isIdFree(records.doubles[position << 4 | orderDouble.updatedAt], now);
	}
	hasWantedId(words, word) {
		const { wanted } = this;
		if (words[word | orderWord.account] !== wanted.account) return false;
		if (idLengthOfFlags(words[word | orderWord.flags]) !== wanted.length) return false;
		const end = wordsOf(wanted.length);
		for (let at = 0; at < end; at += 1) if (words[word | orderWord.clientId + at] !== wanted.words[at]) return false;
		return true;
	}
};
// src/engine/book/number-index.ts
/** Numbers that have a place of their own, by their last bits. */
const places = 1 << 17;
/**
* Finds an order by its running number, live or closed, as long as its record is kept. Most that is asked for came
* lately, so each number has a place that it shares with those 131,072 before and behind it; an order whose place is
* taken by a later one goes to an index. The place of a closed order that was forgotten is not looked after: what
* stands in it stands for nothing.
*/
var NumberIndex = class {
	constructor(orders, closed) {
		this.late = new Int32Array(places).fill(noOrder);
		this.old = new HashIndex();
		this.newest = 0;
		this.orders = orders;
		this.closed = closed;
	}
	/** Reference to the order with this number, `noOrder` if there is none. */
	find(number) {
		if (number <= this.newest - places) {
			const { old } = this;
			const hash = hashOf$1(number | 0);
			for (let at = old.first(hash); at !== -1; at = old.next(at, hash)) {
				const reference = old.reference(at);
				if (this.numberOf(reference) === number) return reference;
			}
		}
		const late = this.late[placeOf(number)];
		return this.isThere(late) && this.numberOf(late) === number ? late : noOrder;
	}
	/** Reads where a number is looked for, so that it is at hand soon; what it answers means nothing. */
	touch(number) {
		return number <= this.newest - places ? this.old.touch(hashOf$1(number | 0)) : this.late[placeOf(number)];
	}
	/** What stands where a number would, if it came lately: a reference to be looked at, `noOrder` if there is none. */
	lateAt(number) {
		const late = this.late[placeOf(number)];
		return this.isThere(late) ? late : noOrder;
	}
	/** References to the other orders whose numbers may have these last 32 bits. */
	oldWith(low) {
		const { old } = this;
		const found = [];
		const hash = hashOf$1(low);
		for (let at = old.first(hash); at !== -1; at = old.next(at, hash)) found.push(old.reference(at));
		return found;
	}
	/** Enters a live order whose record has its number. */
	add(slot) {
		this.enter(this.orders.doubles[slot << 4], slot);
	}
	/** Takes out a live order. */
	remove(slot) {
		this.drop(this.orders.doubles[slot << 4], slot);
	}
	/** The order closed; its record has gone to its turn, and its slot is still its own. */
	close(slot, turn, isEntered) {
		const number = this.orders.doubles[slot << 4];
		const reference = closedReference(turn);
		if (!isEntered) this.enter(number, reference);
		else if (this.hasPlace(number, slot)) this.late[placeOf(number)] = reference;
		else this.old.replace(hashOf$1(number | 0), slot, reference);
	}
	/** Takes out the earliest closed orders, `forgottenAtOnce` of them; their records are there still. */
	forgetClosed() {
		const { earliest, records } = this.closed;
		for (let turn = earliest; turn < earliest + 8; turn += 1) {
			const number = records.doubles[this.closed.position(turn) << 4];
			const reference = closedReference(turn);
			if (!this.hasPlace(number, reference)) this.old.remove(hashOf$1(number | 0), reference);
		}
	}
	enter(number, reference) {
		const { late } = this;
		const place = placeOf(number);
		const before = late[place];
		if (this.isThere(before)) {
			const other = this.numberOf(before);
			if (other > number) {
				this.old.add(hashOf$1(number | 0), reference);
				return;
			}
			this.old.add(hashOf$1(other | 0), before);
		}
		late[place] = reference;
		if (number > this.newest) this.newest = number;
	}
	drop(number, reference) {
		if (this.hasPlace(number, reference)) this.late[placeOf(number)] = noOrder;
		else this.old.remove(hashOf$1(number | 0), reference);
	}
	/** Whether an order that was entered has its place still. Of most that is known without looking. */
	hasPlace(number, reference) {
		return number > this.newest - places || this.late[placeOf(number)] === reference;
	}
	/** Whether what stands in a place stands for an order. */
	isThere(reference) {
		return reference >= 0 ? reference !== noOrder : this.closed.isKept(turnOf(reference));
	}
	numberOf(reference) {
		return reference >= 0 ? this.orders.doubles[reference << 4] : this.closed.records.doubles[this.closed.position(turnOf(reference)) << 4];
	}
};
const placeOf = (number) => number & 131071;
/**
* Orders that came together often go together: numbers in a row go to buckets in a row, two by two. Of numbers that
* agree in their last 32 bits, and of no others, the hashes are the same.
*/
const hashOf$1 = (low) => low >>> 1 | low << 31;
// src/engine/book/price-index.ts
const blockSize = 64;
/** Storage that all sides of all books share: blocks of up to 64 sorted keys with the level of each. */
var PriceBlocks = class {
	constructor() {
		this.keyRoom = new Room();
		this.levelRoom = new Room();
		this.countRoom = new Room();
		this.used = 0;
		this.free = [];
	}
	/** Views; taking a block may replace them. */
	get keys() {
		return this.keyRoom.doubles;
	}
	get levels() {
		return this.levelRoom.words;
	}
	/** Keys in each block. */
	get counts() {
		return this.countRoom.words;
	}
	take() {
		const reused = this.free.pop();
		if (reused !== void 0) return reused;
		if ((this.used + 1) * blockSize > this.keys.length) this.keyRoom.grow();
		if ((this.used + 1) * blockSize > this.levels.length) this.levelRoom.grow();
		if (this.used === this.counts.length) this.countRoom.grow();
		return this.used++;
	}
	give(block) {
		this.counts[block] = 0;
		this.free.push(block);
	}
};
/**
* The price levels of one side, sorted by key with the best last: a bid's key is its price, an ask's the negative one.
* Two steps deep: a short list of blocks, each sorted. Near the best, where almost everything happens, an insert moves
* a few numbers; far away at most 64.
*/
var PriceIndex = class {
	/** `record`: place of the book's first double. Side 0 buys, 1 sells. */
	constructor(pool, records, record, side) {
		this.size = 0;
		this.blocks = [];
		this.pool = pool;
		this.doubles = records.doubles;
		this.words = records.words;
		this.keyAt = record + bookDouble.bestKey + side;
		this.levelAt = record * 2 + bookWord.bestLevel + side;
		this.setBest(Number.NEGATIVE_INFINITY, -1);
	}
	/** Reads where its best keys are, so that they are at hand soon; what it answers means nothing. */
	touch(key) {
		const { blocks, pool } = this;
		if (blocks.length === 0) return 0;
		const block = blocks[blocks.length - 1];
		const far = Math.min(blockSize / 2, Math.max(0, this.doubles[this.keyAt] - key)) | 0;
		const at = block * blockSize + blockSize / 2 - far;
		return pool.counts[block] ^ pool.keys[at] ^ pool.levels[at];
	}
	/** The level of this key, -1 if there is none. */
	find(key) {
		const order = this.blockFor(key);
		if (order < 0) return -1;
		const block = this.blocks[order];
		const at = block * blockSize + this.position(block, key);
		return at < block * blockSize + this.pool.counts[block] && this.pool.keys[at] === key ? this.pool.levels[at] : -1;
	}
	/** Enters a level whose key is not there yet. */
	add(key, level) {
		this.size += 1;
		let order = this.blockFor(key);
		if (order < 0) {
			this.blocks.push(this.pool.take());
			order = 0;
		} else if (this.pool.counts[this.blocks[order]] === blockSize) {
			this.split(order);
			if (key > this.pool.keys[this.blocks[order + 1] * blockSize]) order += 1;
		}
		const block = this.blocks[order];
		const { keys, levels, counts } = this.pool;
		const from = block * blockSize + this.position(block, key);
		for (let at = block * blockSize + counts[block]; at > from; at -= 1) {
			keys[at] = keys[at - 1];
			levels[at] = levels[at - 1];
		}
		keys[from] = key;
		levels[from] = level;
		counts[block] += 1;
		if (key > this.doubles[this.keyAt]) this.setBest(key, level);
	}
	/** Takes out a key that is there. */
	remove(key) {
		this.size -= 1;
		const order = this.blockFor(key);
		const block = this.blocks[order];
		const { keys, levels, counts } = this.pool;
		const end = block * blockSize + counts[block] - 1;
		for (let at = block * blockSize + this.position(block, key); at < end; at += 1) {
			keys[at] = keys[at + 1];
			levels[at] = levels[at + 1];
		}
		counts[block] -= 1;
		if (counts[block] === 0) {
			this.blocks.splice(order, 1);
			this.pool.give(block);
		} else if (counts[block] <= blockSize / 4) this.mergeInto(order);
		if (key === this.doubles[this.keyAt]) this.readBest();
	}
	readBest() {
		const last = this.blocks.length - 1;
		if (last < 0) {
			this.setBest(Number.NEGATIVE_INFINITY, -1);
			return;
		}
		const at = this.blocks[last] * blockSize + this.pool.counts[this.blocks[last]] - 1;
		this.setBest(this.pool.keys[at], this.pool.levels[at]);
	}
	setBest(key, level) {
		this.doubles[this.keyAt] = key;
		this.words[this.levelAt] = level;
	}
	/** Calls for each level, best first, until `visit` answers false. */
	walk(visit) {
		for (let order = this.blocks.length - 1; order >= 0; order -= 1) {
			const start = this.blocks[order] * blockSize;
			for (let at = start + this.pool.counts[this.blocks[order]] - 1; at >= start; at -= 1) if (!visit(this.pool.levels[at])) return;
		}
	}
	/** Order of the last block whose first key is not above `key`, else the first block; -1 when there is none. */
	blockFor(key) {
		const { keys } = this.pool;
		let order = this.blocks.length - 1;
		if (order <= 0 || keys[this.blocks[order] * blockSize] <= key) return order;
		let low = 0;
		while (low < order) {
			const middle = low + order >>> 1;
			if (keys[this.blocks[middle + 1] * blockSize] <= key) low = middle + 1;
			else order = middle;
		}
		return low;
	}
	/**
	* Where in its block a key stands or would stand. Keys are whole numbers, so it cannot stand further from the last
	* one than they differ; near the best price, where most levels are taken, it stands just there.
	*/
	position(block, key) {
		const { keys } = this.pool;
		const start = block * blockSize;
		let high = this.pool.counts[block];
		if (high === 0) return 0;
		let low = Math.max(0, high - 1 - Math.max(0, keys[start + high - 1] - key));
		if (keys[start + low] >= key) return low;
		low += 1;
		while (low < high) {
			const middle = low + high >>> 1;
			if (keys[start + middle] < key) low = middle + 1;
			else high = middle;
		}
		return low;
	}
	split(order) {
		const block = this.blocks[order];
		const upper = this.pool.take();
		const { keys, levels, counts } = this.pool;
		const half = blockSize / 2;
		const from = block * blockSize + half;
		keys.copyWithin(upper * blockSize, from, from + half);
		levels.copyWithin(upper * blockSize, from, from + half);
		counts[block] = half;
		counts[upper] = half;
		this.blocks.splice(order + 1, 0, upper);
	}
	mergeInto(order) {
		const left = order > 0 ? order - 1 : order;
		const lower = this.blocks[left];
		const upper = this.blocks[left + 1];
		const { keys, levels, counts } = this.pool;
		if (upper === void 0 || counts[lower] + counts[upper] > blockSize / 2) return;
		const to = lower * blockSize + counts[lower];
		keys.copyWithin(to, upper * blockSize, upper * blockSize + counts[upper]);
		levels.copyWithin(to, upper * blockSize, upper * blockSize + counts[upper]);
		counts[lower] += counts[upper];
		this.blocks.splice(left + 1, 1);
		this.pool.give(upper);
	}
};
// src/engine/book/slot-lists.ts
/** A line is one cache line: the lines beside it, where its slots start and end, then up to twelve slots. */
const lineShift = 4;
const nextAt$1 = 0;
const previousAt = 1;
const startAt = 2;
const endAt = 3;
const slotsAt = 4;
const wordsPerLine = 16;
/**
* Queues of slots, any number of them in one room. A queue is a ring of lines that its owner knows by the first one, -1
* while it is empty. Whoever takes part remembers the line it stands in, so that leaving from the middle touches that
* line and neither the neighbours' records nor the rest of the queue.
*/
var SlotLists = class {
	constructor() {
		this.room = new Room();
		this.used = 0;
		this.freeLine = -1;
	}
	/** Puts a slot behind all others; answers the line where it stands. */
	append(head, slot) {
		let line = head < 0 ? this.takeLine(-1) : this.room.words[head << lineShift | previousAt];
		if (this.room.words[line << lineShift | endAt] === wordsPerLine) line = this.takeLine(head);
		const { words } = this.room;
		const at = line << lineShift;
		const end = words[at | endAt];
		words[at + end] = slot;
		words[at | endAt] = end + 1;
		return line;
	}
	/** Takes a slot out of the line where it stands; answers the first line of the queue from now on. */
	remove(head, line, slot) {
		const { words } = this.room;
		const base = line << lineShift;
		const start = words[base | startAt];
		if (words[base + start] === slot) {
			words[base | startAt] = start + 1;
			return start + 1 === words[base | endAt] ? this.giveLine(head, line) : head;
		}
		const last = base + words[base | endAt] - 1;
		let at = base + start + 1;
		while (words[at] !== slot) at += 1;
		for (; at < last; at += 1) words[at] = words[at + 1];
		words[base | endAt] -= 1;
		return head;
	}
	/** Reads a line, so that it is at hand soon; what it answers means nothing. */
	touch(line) {
		return line < 0 ? 0 : this.room.words[line << lineShift];
	}
	/** Reads the first line of a queue and the last, so that they are at hand soon; the answer means nothing. */
	touchEnd(head) {
		return head < 0 ? 0 : this.touch(this.room.words[head << lineShift | previousAt]);
	}
	/** The slot that came first; the queue is not empty. */
	first(head) {
		const base = head << lineShift;
		return this.room.words[base + this.room.words[base | startAt]];
	}
	/** Calls for each slot, the first to come first, until `visit` answers false; answers whether it never did. */
	every(head, visit) {
		const { words } = this.room;
		if (head < 0) return true;
		let line = head;
		do {
			const base = line << lineShift;
			const end = base + words[base | endAt];
			for (let at = base + words[base | startAt]; at < end; at += 1) if (!visit(words[at])) return false;
			line = words[base | nextAt$1];
		} while (line !== head);
		return true;
	}
	/** All slots of a queue, the first to come first. */
	all(head) {
		const slots = [];
		this.every(head, (slot) => slots.push(slot) > 0);
		return slots;
	}
	/** An empty line at the end of a queue; -1: as its only one. */
	takeLine(head) {
		let line = this.freeLine;
		if (line >= 0) this.freeLine = this.room.words[line << lineShift | nextAt$1];
		else {
			if (this.used + 1 << lineShift > this.room.words.length) this.room.grow();
			line = this.used++;
		}
		const { words } = this.room;
		const base = line << lineShift;
		const following = head < 0 ? line : head;
		const before = head < 0 ? line : words[head << lineShift | previousAt];
		words[base | nextAt$1] = following;
		words[base | previousAt] = before;
		words[following << lineShift | previousAt] = line;
		words[before << lineShift | nextAt$1] = line;
		words[base | startAt] = slotsAt;
		words[base | endAt] = slotsAt;
		return line;
	}
	giveLine(head, line) {
		const { words } = this.room;
		const base = line << lineShift;
		const following = words[base | nextAt$1];
		const before = words[base | previousAt];
		words[before << lineShift | nextAt$1] = following;
		words[following << lineShift | previousAt] = before;
		words[base | nextAt$1] = this.freeLine;
		this.freeLine = line;
		if (line !== head) return head;
		return following === line ? -1 : following;
	}
};
// src/engine/book/book.ts
/** One symbol's market: its rules, both sides, and the counters that only ever grow. */
var Book = class {
	constructor(rules, quotePerTickLot, basePerLot, tables) {
		const { records, blocks } = tables;
		this.doubles = records.doubles;
		this.words = records.words;
		this.double = records.take();
		this.word = this.double << 1;
		this.doubles[this.double | bookDouble.quotePerTickLot] = quotePerTickLot;
		this.doubles[this.double | bookDouble.basePerLot] = basePerLot;
		this.bids = new PriceIndex(blocks, records, this.double, 0);
		this.asks = new PriceIndex(blocks, records, this.double, 1);
		this.rules = rules;
		this.setRules(rules);
	}
	/** Puts new rules in force. */
	setRules(rules) {
		this.rules = rules;
		const { doubles, words, double, word } = this;
		doubles[double | bookDouble.minLots] = rules.minLots;
		doubles[double | bookDouble.minNotional] = rules.minNotional;
		doubles[double | bookDouble.minNotionalMarket] = rules.minNotionalMarket;
		doubles[double | bookDouble.maxNotional] = rules.maxNotional;
		doubles[double | bookDouble.maxNotionalMarket] = rules.maxNotionalMarket;
		doubles[double | bookDouble.bidMultiplierUpPpm] = rules.bidMultiplierUpPpm ?? NaN;
		doubles[double | bookDouble.askMultiplierDownPpm] = rules.askMultiplierDownPpm ?? NaN;
		words[word | bookWord.symbol] = rules.id;
		words[word | bookWord.base] = rules.base;
		words[word | bookWord.quote] = rules.quote;
		words[word | bookWord.makerFeePpm] = rules.makerFeePpm;
		words[word | bookWord.takerFeePpm] = rules.takerFeePpm;
		words[word | bookWord.collarPpm] = rules.collarPpm;
		const kinds = rules.status === "online" && rules.apiTradingAllowed ? rules.orderKinds.reduce((mask, kind) => mask | 1 << kindCode(kind), 0) : 0;
		const { tradeSideType } = rules;
		words[word | bookWord.allowed] = tradeSideType === "all" || tradeSideType === "buyOnly" ? kinds : 0;
		words[word | bookWord.allowed + 1] = tradeSideType === "all" || tradeSideType === "sellOnly" ? kinds : 0;
	}
	get symbol() {
		return this.whole(bookWord.symbol);
	}
	get base() {
		return this.whole(bookWord.base);
	}
	get quote() {
		return this.whole(bookWord.quote);
	}
	/** Quote units of one tick times one lot; whole by the rule of scales (decisions.md section 3). */
	get quotePerTickLot() {
		return this.number(bookDouble.quotePerTickLot);
	}
	/** Base units of one lot. */
	get basePerLot() {
		return this.number(bookDouble.basePerLot);
	}
	get minLots() {
		return this.number(bookDouble.minLots);
	}
	get collarPpm() {
		return this.whole(bookWord.collarPpm);
	}
	/** Multipliers of the last price; NaN where the filter is off. */
	get bidMultiplierUpPpm() {
		return this.number(bookDouble.bidMultiplierUpPpm);
	}
	get askMultiplierDownPpm() {
		return this.number(bookDouble.askMultiplierDownPpm);
	}
	minNotional(isMarket) {
		return this.number(isMarket ? bookDouble.minNotionalMarket : bookDouble.minNotional);
	}
	maxNotional(isMarket) {
		return this.number(isMarket ? bookDouble.maxNotionalMarket : bookDouble.maxNotional);
	}
	feePpm(isMaker) {
		return this.whole(isMaker ? bookWord.makerFeePpm : bookWord.takerFeePpm);
	}
	/** One bit per code of an order kind that may be bought (0) or sold (1) with now. */
	allowed(side) {
		return this.whole(bookWord.allowed + side);
	}
	/** Steps of the book so far. */
	get version() {
		return this.number(bookDouble.version);
	}
	set version(value) {
		this.doubles[this.double | bookDouble.version] = value;
	}
	/** Trades so far. */
	get trades() {
		return this.number(bookDouble.trades);
	}
	set trades(value) {
		this.doubles[this.double | bookDouble.trades] = value;
	}
	/** Ticks; 0 before the first trade. */
	get lastPrice() {
		return this.number(bookDouble.lastPrice);
	}
	set lastPrice(value) {
		this.doubles[this.double | bookDouble.lastPrice] = value;
	}
	/** Side 0 buys, 1 sells. */
	side(side) {
		return side === 0 ? this.bids : this.asks;
	}
	/** Level of the best price of a side, -1 when there is none. */
	best(side) {
		return this.whole(bookWord.bestLevel + side);
	}
	/** Reads every line of its record, so that they are at hand soon; what it answers means nothing. */
	touch() {
		return this.whole(0) ^ this.whole(16) ^ this.whole(32);
	}
	/** Best key of a side as it sorts its prices, minus infinity when there is none. */
	bestKey(side) {
		return this.number(bookDouble.bestKey + side);
	}
	/** Stops the role when the book is crossed: invariant I5. An ask's key is its negative price. */
	assertUncrossed() {
		assert(this.bestKey(0) + this.bestKey(1) < 0, "best bid stays below best ask");
	}
	number(field) {
		return this.doubles[this.double | field];
	}
	whole(field) {
		return this.words[this.word | field];
	}
};
/** The key under which a side sorts a price: the better, the greater. */
const priceKey = (side, price) => side === 0 ? price : -price;
/** Tables that all books share, so that thousands of small markets cost little. */
var BookTables = class {
	constructor() {
		this.orders = new OrderTable();
		this.levels = new LevelTable();
		this.queues = new SlotLists();
		this.openOrders = new SlotLists();
		this.blocks = new PriceBlocks();
		this.records = new BookRecords();
		this.closed = new ClosedOrders();
		this.numbers = new NumberIndex(this.orders, this.closed);
		this.clientIds = new ClientIds(this.orders, this.closed, this.numbers);
		this.lastOrder = 0;
	}
	newCursor() {
		return new OrderCursor(this.orders);
	}
	/** Points a cursor at an order that an index answered. */
	show(reference, view) {
		if (reference >= 0) return view.at(reference);
		return view.atRecord(this.closed.records, this.closed.position(turnOf(reference)));
	}
	/** Puts a live order at the end of its level's queue, `known` or -1 if it is not open yet; answers the level. */
	enqueue(book, side, slot, known) {
		const { orders, levels } = this;
		let level = known;
		if (level < 0) {
			const price = orders.doubles[slot << 4 | orderDouble.price];
			level = levels.open(price);
			book.side(side).add(priceKey(side, price), level);
		}
		const queue = levels.queue(level);
		const line = this.queues.append(queue, slot);
		if (queue < 0) levels.setQueue(level, line);
		const word = slot << 5;
		orders.words[word | orderWord.level] = level;
		orders.words[word | orderWord.levelLine] = line;
		levels.addLots(level, orders.doubles[slot << 4 | orderDouble.open]);
		return level;
	}
	/**
	* Takes an order out of its queue with what is left of it; an empty level goes. Answers the lots left at its price.
	*/
	dequeue(book, side, slot) {
		const { orders, levels } = this;
		const word = slot << 5;
		const level = orders.words[word | orderWord.level];
		assert(level >= 0, "an order that leaves a queue stands in one");
		const queue = this.queues.remove(levels.queue(level), orders.words[word | orderWord.levelLine], slot);
		levels.setQueue(level, queue);
		orders.words[word | orderWord.level] = -1;
		const left = levels.addLots(level, -orders.doubles[slot << 4 | orderDouble.open]);
		if (queue < 0) {
			assert(left === 0, "an empty level has no lots");
			book.side(side).remove(priceKey(side, levels.price(level)));
			levels.close(level);
		}
		return left;
	}
	/** Makes an order findable by its number and its client id. */
	enterIndexes(slot) {
		this.numbers.add(slot);
		if (hasClientId(this.orders, slot)) this.clientIds.add(slot);
	}
	/** Gives the slot of a closed order back; one with a client id is remembered for as long as that is kept. */
	release(slot, isEntered, now) {
		if (hasClientId(this.orders, slot)) this.keepClosed(slot, isEntered, now);
		else if (isEntered) this.numbers.remove(slot);
		this.orders.give(slot);
	}
	keepClosed(slot, isEntered, now) {
		const { closed } = this;
		if (closed.areOver(8, now)) {
			this.clientIds.forgetClosed();
			this.numbers.forgetClosed();
			closed.forgetEarliest();
		}
		this.numbers.close(slot, closed.add(this.orders, slot), isEntered);
		if (!isEntered) this.clientIds.add(slot);
	}
};
/** Whether an order has a client id. */
const hasClientId = (orders, slot) => idLengthOfFlags(orders.words[slot << 5 | orderWord.flags]) > 0;
// src/engine/commands/listing-commands.ts
/** Lists an asset, or renames a listed one; scale and cap of a listed asset stay. */
const configureAsset = (state, { asset }) => {
	const listed = state.assetByCode.get(asset.code);
	const known = listed === void 0 ? null : state.assets[listed];
	if (!(known === null ? isAssetValid(state, asset) : known.scale === asset.scale && known.cap === asset.cap)) {
		refuse(state, "invalidConfiguration");
		return;
	}
	const id = known?.id ?? as(state.assets.length);
	const { code, fullName, scale, cap, coinId } = asset;
	putAsset(state, {
		id,
		code,
		fullName,
		scale,
		cap,
		coinId
	});
	state.emit.fact({
		kind: "assetConfigured",
		asset: state.assets[id]
	});
};
/** Enters an asset whose rules were checked. */
function putAsset(state, asset) {
	state.assets[asset.id] = asset;
	state.assetByCode.set(asset.code, asset.id);
}
function isAssetValid(state, asset) {
	return state.assets.length < engineLimits.assets && /^[A-Z0-9]{2,12}$/.test(asset.code) && /^[0-9a-f]{32}$/.test(asset.coinId) && Number.isInteger(asset.scale) && asset.scale >= 0 && asset.scale <= engineLimits.assetScale && asset.cap > 0n && asset.cap < 1n << 62n;
}
/** Lists a symbol, or changes the rules of a listed one; its assets and scales stay. */
const configureSymbol = (state, { symbol }) => {
	const listed = state.symbolByName.get(symbol.name);
	const book = listed === void 0 ? null : state.books[listed];
	if (!(areRulesValid(state, symbol) && (book === null ? state.books.length < engineLimits.symbols && !state.bookByAssets.has(`${symbol.base}/${symbol.quote}`) : keepsScales(book.rules, symbol)))) {
		refuse(state, "invalidConfiguration");
		return;
	}
	const rules = {
		...symbol,
		id: book?.rules.id ?? as(state.books.length)
	};
	if (book === null) putBook(state, rules);
	else book.setRules(rules);
	state.emit.fact({
		kind: "symbolConfigured",
		symbol: rules
	});
};
/** Opens the book of a symbol whose rules were checked. */
function putBook(state, rules) {
	const base = state.assets[rules.base];
	const quote = state.assets[rules.quote];
	const book = new Book(rules, Number(powersOfTen[quote.scale - rules.priceDecimals - rules.quantityDecimals]), Number(powersOfTen[base.scale - rules.quantityDecimals]), state.tables);
	state.books[rules.id] = book;
	state.symbolByName.set(rules.name, rules.id);
	state.bookByAssets.set(`${rules.base}/${rules.quote}`, book);
	return book;
}
const isPpm = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;
const isAmount$1 = (value) => Number.isSafeInteger(value) && value > 0;
/** decisions.md section 3, Scales; and docs/decisions/0002 for the bound on amounts. */
function areRulesValid(state, symbol) {
	const base = state.assets[symbol.base];
	const quote = state.assets[symbol.quote];
	const { priceDecimals, quantityDecimals } = symbol;
	return base !== void 0 && quote !== void 0 && base !== quote && /^[A-Z0-9]{2,24}$/.test(symbol.name) && Number.isInteger(priceDecimals) && priceDecimals >= 0 && Number.isInteger(quantityDecimals) && quantityDecimals >= 0 && priceDecimals + quantityDecimals <= quote.scale && quantityDecimals <= base.scale && isAmount$1(symbol.minLots) && isAmount$1(symbol.minNotional) && isAmount$1(symbol.minNotionalMarket) && isAmount$1(symbol.maxNotional) && isAmount$1(symbol.maxNotionalMarket) && isPpm(symbol.makerFeePpm, 1e6) && isPpm(symbol.takerFeePpm, 1e6) && isPpm(symbol.collarPpm, 1e6) && (symbol.bidMultiplierUpPpm === null || isPpm(symbol.bidMultiplierUpPpm, 1e9)) && (symbol.askMultiplierDownPpm === null || isPpm(symbol.askMultiplierDownPpm, 1e6)) && symbol.orderKinds.length > 0;
}
function keepsScales(listed, wanted) {
	return listed.base === wanted.base && listed.quote === wanted.quote && listed.priceDecimals === wanted.priceDecimals && listed.quantityDecimals === wanted.quantityDecimals;
}
/** Names the platform token and its discount. */
const configureFeeToken = (state, command) => {
	const { token, valuedIn, discountPpm } = command;
	if (state.assets[token] === void 0 || state.assets[valuedIn] === void 0 || !isPpm(discountPpm, 1e6)) {
		refuse(state, "invalidConfiguration");
		return;
	}
	state.feeToken = {
		token,
		valuedIn,
		discountPpm
	};
	state.emit.fact({
		kind: "feeTokenConfigured",
		token,
		valuedIn,
		discountPpm
	});
};
// src/engine/commands/operation-commands.ts
/** Stores or lifts a ban; the ban that ends first makes room for a new one. */
const banAddress = (state, { address, until, times }) => {
	state.bans.delete(address);
	if (until > 0) {
		if (state.bans.size >= engineLimits.bans) {
			let first = null;
			for (const ban of state.bans.values()) if (first === null || ban.until < state.bans.get(first).until) first = ban.address;
			state.bans.delete(first);
		}
		state.bans.set(address, {
			address,
			until,
			times
		});
	}
	state.emit.fact({
		kind: "addressBanned",
		address,
		until,
		times
	});
};
const advanceClock = (state) => state.emit.fact({ kind: "clockAdvanced" });
/** Stops whoever reads the journal and has come to other events than the one who wrote it. */
const assertDigest = (state, { at, digest }) => {
	if (state.checkpoint.at !== at) return;
	assert(state.checkpoint.digest === digest, `events up to entry ${at} differ from those that were journaled`);
};
// src/engine/commands/stp-commands.ts
/** A group as its master sees it. */
function viewGroup(state, group) {
	return {
		group: group.group,
		master: group.master,
		name: group.name,
		members: [...group.members],
		memberUids: group.members.map((member) => state.accounts.get(member).uid),
		createdAt: group.createdAt,
		updatedAt: group.updatedAt
	};
}
const createStpGroup = (state, { master, name }) => {
	const own = state.stpGroups.ofMaster(master);
	if (!state.accounts.isUser(master) || state.accounts.words[master << 3 | accountWord.master] !== master) refuse(state, "unknownAccount");
	else if (own.some((group) => group.name === name)) refuse(state, "groupNameInUse");
	else if (own.length >= engineLimits.stpGroupsPerMaster) refuse(state, "tooManyGroups");
	else {
		const group = {
			group: state.stpGroups.lastGroup + 1,
			master,
			name,
			members: [],
			createdAt: state.at,
			updatedAt: state.at
		};
		state.stpGroups.put(group);
		state.emit.fact({
			kind: "stpGroupChanged",
			group: viewGroup(state, group)
		});
	}
};
const deleteStpGroup = (state, command) => {
	const group = ownGroup(state, command.master, command.group);
	if (group === null) return;
	state.stpGroups.delete(group);
	state.emit.fact({
		kind: "stpGroupDeleted",
		master: command.master,
		group: command.group
	});
};
const addToStpGroup = (state, command) => changeMembers(state, command.master, command.group, command.members, (group, member) => state.stpGroups.join(group, member));
const removeFromStpGroup = (state, command) => changeMembers(state, command.master, command.group, command.members, (group, member) => state.stpGroups.leave(group, member));
function changeMembers(state, master, id, members, apply) {
	const group = ownGroup(state, master, id);
	if (group === null) return;
	if (members.some((member) => !state.accounts.isUser(member) || state.accounts.words[member << 3 | accountWord.master] !== master)) {
		refuse(state, "notOfThisMaster");
		return;
	}
	for (const member of members) apply(group, member);
	group.updatedAt = state.at;
	state.emit.fact({
		kind: "stpGroupChanged",
		group: viewGroup(state, group)
	});
}
function ownGroup(state, master, id) {
	const group = state.stpGroups.groups.get(id);
	if (group !== void 0 && group.master === master) return group;
	refuse(state, "unknownGroup");
	return null;
}
// src/engine/matching/close-order.ts
/** Enters a resting order at the end of its account's open orders. */
function linkOpen(state, slot) {
	const { words } = state.tables.orders;
	const { accounts } = state;
	const account = words[slot << 5 | orderWord.account] << 3;
	const open = accounts.words[account | accountWord.openOrders];
	const line = state.tables.openOrders.append(open, slot);
	if (open < 0) accounts.words[account | accountWord.openOrders] = line;
	accounts.words[account | accountWord.openCount] += 1;
	words[slot << 5 | orderWord.accountLine] = line;
}
function unlinkOpen(state, slot, line) {
	const { words } = state.tables.orders;
	const { accounts } = state;
	const account = words[slot << 5 | orderWord.account] << 3;
	const open = accounts.words[account | accountWord.openOrders];
	accounts.words[account | accountWord.openOrders] = state.tables.openOrders.remove(open, line, slot);
	accounts.words[account | accountWord.openCount] -= 1;
	words[slot << 5 | orderWord.accountLine] = -1;
}
/**
* Ends an order that stands in no queue (any more): what its hold still covers goes back, it leaves its account's list,
* the event tells its final state, and its record stays only as long as its client id is kept.
*/
function closeOrder(state, slot, reason, view) {
	const { tables } = state;
	const { words, doubles } = tables.orders;
	const word = slot << 5;
	const number = doubles[slot << 4];
	const hold = words[word | orderWord.hold];
	if (hold >= 0) {
		state.ledger.closeHold(hold, "cancelRelease", number);
		words[word | orderWord.hold] = -1;
	}
	const line = words[word | orderWord.accountLine];
	if (line >= 0) unlinkOpen(state, slot, line);
	closeRecord(tables.orders, slot, reason, state.at);
	state.emit.orderClosed(view.at(slot));
	tables.release(slot, line >= 0, state.at);
}
/** Takes a resting order off its book and ends it. */
function removeResting(state, book, slot, reason, view) {
	const { tables } = state;
	const side = tables.orders.words[slot << 5 | orderWord.flags] & 1;
	const price = tables.orders.doubles[slot << 4 | orderDouble.price];
	const left = tables.dequeue(book, side, slot);
	closeOrder(state, slot, reason, view);
	book.version += 1;
	state.emit.levelChanged(book.symbol, book.version, side === 0 ? "buy" : "sell", price, left);
}
// src/engine/matching/cancel-order.ts
/** Slot of an account's live order on a symbol; -1 if there is none. */
function findLive(state, account, symbol, ref) {
	const { numbers, clientIds, orders } = state.tables;
	const slot = slotOf("order" in ref ? numbers.find(ref.order) : clientIds.find(account, ref.clientOrderId, state.at));
	if (slot < 0) return -1;
	const word = slot << 5;
	return orders.words[word | orderWord.account] === account && orders.words[word | orderWord.symbol] === symbol ? slot : -1;
}
/** Cancels an open order of the account; a finished, foreign or unknown one is refused. */
function cancelOrder(state, account, symbol, ref) {
	const slot = findLive(state, account, symbol, ref);
	if (slot < 0) state.emit.cancelRefused(account, symbol, "unknownOrder");
	else removeResting(state, state.books[symbol], slot, "byUser", state.takerView);
}
/** Cancels an order if it is still open and the account's own; says nothing otherwise. */
function cancelIfOpen(state, account, symbol, order) {
	const slot = findLive(state, account, symbol, { order });
	if (slot >= 0) removeResting(state, state.books[symbol], slot, "byUser", state.takerView);
}
/** Cancels every open order of the account on these symbols, oldest first. */
function cancelOrders(state, account, symbols) {
	if (!state.accounts.isUser(account)) return;
	const open = state.accounts.words[account << 3 | accountWord.openOrders];
	for (const slot of state.tables.openOrders.all(open)) {
		const symbol = state.tables.orders.words[slot << 5 | orderWord.symbol];
		if (symbols.includes(symbol)) removeResting(state, state.books[symbol], slot, "byUser", state.takerView);
	}
}
// src/domain/fees.ts
const million$2 = 1e6;
/**
* Below it a product is exact, and its quotient by a million is further from the next whole number than it is rounded.
*/
const exactProductMax = 2 ** 51;
/** `amount × ppm / 10^6` rounded up, exact for any safe integer and up to 10^6 ppm. decisions.md section 3, Fees. */
function shareUp(amount, ppm) {
	if (amount * ppm < exactProductMax) return Math.ceil(amount * ppm / million$2);
	const high = Math.floor(amount / million$2);
	return high * ppm + Math.ceil((amount - high * million$2) * ppm / million$2);
}
/** `amount × ppm / 10^6` rounded down, exact while the result is a safe integer. */
function shareDown(amount, ppm) {
	if (amount * ppm < exactProductMax) return Math.floor(amount * ppm / million$2);
	const high = Math.floor(amount / million$2);
	return high * ppm + Math.floor((amount - high * million$2) * ppm / million$2);
}
// src/engine/matching/collar.ts
const million$1 = 1e6;
/**
* The worst price a market order may reach: last price plus or minus the collar, on the tick inside it. Without a last
* price the best opposing price stands in; 0 when there is neither. decisions.md section 3, MARKET collar.
*/
function collarPrice(state, book, side) {
	const best = book.best(side ^ 1);
	const reference = book.lastPrice !== 0 ? book.lastPrice : best < 0 ? 0 : state.tables.levels.price(best);
	if (reference === 0) return 0;
	const { collarPpm } = book;
	return side === 0 ? shareDown(reference, million$1 + collarPpm) : Math.max(1, shareUp(reference, million$1 - collarPpm));
}
// src/engine/matching/commission.ts
const million = 1000000n;
const commission = {
	amount: 0,
	asset: 0,
	row: 0
};
/**
* Commission on `received` units that went to balance row `gets`: in that asset, rounded up; or in the platform token
* at its discount, where the account wants that, prices are known and the token suffices. decisions.md section 3, Fees.
*/
function commissionOf(state, book, account, gets, received, isMaker) {
	const flags = state.accounts.words[account << 3 | accountWord.flags];
	let ppm = book.feePpm(isMaker);
	if ((flags & accountFlag.ownRates) !== 0) {
		const record = state.accounts.records[account];
		ppm = (isMaker ? record.makerFeePpm : record.takerFeePpm) ?? ppm;
	}
	commission.asset = state.ledger.assetOf(gets);
	commission.row = gets;
	commission.amount = ppm === 0 ? 0 : shareUp(received, ppm);
	if ((flags & accountFlag.feeDeduction) !== 0 && commission.amount > 0) deductFromToken(state, account);
	return commission;
}
/** Changes the commission at hand into the platform token, if that can be done. */
function deductFromToken(state, account) {
	const { feeToken } = state;
	if (feeToken === null) return;
	const row = state.ledger.balances.find(account, feeToken.token);
	if (row < 0) return;
	const amount = tokenAmount(state, commission.asset, commission.amount);
	if (amount === null || amount > BigInt(Number.MAX_SAFE_INTEGER)) return;
	if (!state.ledger.canGive(row, Number(amount))) return;
	commission.amount = Number(amount);
	commission.asset = feeToken.token;
	commission.row = row;
}
/** `fee` units of `asset` as units of the token after its discount, rounded up; `null` while a price is missing. */
function tokenAmount(state, asset, fee) {
	const { token, valuedIn, discountPpm } = state.feeToken;
	let numerator = BigInt(fee) * (million - BigInt(discountPpm));
	let denominator = million;
	if (asset !== token) {
		if (asset !== valuedIn) {
			const priced = state.bookByAssets.get(`${asset}/${valuedIn}`);
			if (priced === void 0 || priced.lastPrice === 0) return null;
			numerator *= BigInt(priced.lastPrice) * BigInt(priced.quotePerTickLot);
			denominator *= BigInt(priced.basePerLot);
		}
		if (token !== valuedIn) {
			const priced = state.bookByAssets.get(`${token}/${valuedIn}`);
			if (priced === void 0 || priced.lastPrice === 0) return null;
			numerator *= BigInt(priced.basePerLot);
			denominator *= BigInt(priced.lastPrice) * BigInt(priced.quotePerTickLot);
		}
	}
	return (numerator + denominator - 1n) / denominator;
}
/** Moves a commission from its row to the house. */
function payCommission(state, row, amount, order) {
	if (amount > 0) state.ledger.post(row, -amount, "fee", order);
}
/** Books a commission with the house. */
function bookCommission(state, asset, amount, order) {
	if (amount > 0) state.ledger.post(state.ledger.feeRow(asset), amount, "fee", order);
}
// src/engine/matching/fill.ts
/** The trade lent to sinks; client ids are read from the records only when somebody looks. */
var LentTrade = class {
	constructor() {
		this.symbol = 0;
		this.trade = 0;
		this.price = 0;
		this.lots = 0;
		this.quoteAmount = 0;
		this.takerSide = "buy";
		this.taker = 0;
		this.maker = 0;
		this.takerAccount = 0;
		this.makerAccount = 0;
		this.fillOfTaker = 0;
		this.takerFee = 0;
		this.takerFeeAsset = 0;
		this.makerFee = 0;
		this.makerFeeAsset = 0;
		this.takerView = null;
		this.makerView = null;
	}
	get takerClientOrderId() {
		return this.takerView.clientOrderId;
	}
	get makerClientOrderId() {
		return this.makerView.clientOrderId;
	}
};
const trade = new LentTrade();
/**
* One match of `lots` at the maker's price: trade, postings of taker, maker and house, then the orders' new state, the
* maker's close if it is done, and the level. The lots exist on both sides.
*/
function executeFill(state, book, taker, maker, level, lots) {
	const { orders, levels } = state.tables;
	const price = levels.price(level);
	const quoteAmount = price * lots * book.quotePerTickLot;
	assert(lots > 0 && Number.isSafeInteger(quoteAmount), "a fill has a size and an exact amount");
	assert(taker.side === 0 ? price <= taker.limit : price >= taker.limit, "a taker never trades beyond its limit");
	settle(state, book, taker, maker, price, lots, quoteAmount);
	advanceTaker(state, taker, lots, quoteAmount, price);
	const double = maker << 4;
	const makerOpen = orders.doubles[double | orderDouble.open] - lots;
	orders.doubles[double | orderDouble.executedQuote] += quoteAmount;
	orders.doubles[double | orderDouble.updatedAt] = state.at;
	book.lastPrice = price;
	state.emit.orderFilled(state.takerView, lots, price);
	let left;
	if (makerOpen === 0) {
		left = state.tables.dequeue(book, taker.side ^ 1, maker);
		orders.doubles[double | orderDouble.open] = 0;
		state.emit.orderFilled(state.makerView, lots, price);
		closeOrder(state, maker, "filled", state.makerView);
	} else {
		left = levels.addLots(level, -lots);
		orders.doubles[double | orderDouble.open] = makerOpen;
		state.emit.orderFilled(state.makerView, lots, price);
	}
	book.version += 1;
	state.emit.levelChanged(book.symbol, book.version, taker.side === 0 ? "sell" : "buy", price, left);
}
/** The money of a fill, and the event that tells of it. */
function settle(state, book, taker, maker, price, lots, quoteAmount) {
	const { ledger } = state;
	const { words, doubles } = state.tables.orders;
	const takerWord = taker.slot << 5;
	const makerWord = maker << 5;
	const takerNumber = doubles[taker.slot << 4];
	const makerNumber = doubles[maker << 4];
	const makerAccount = words[makerWord | orderWord.account];
	const baseAmount = lots * book.basePerLot;
	const takerGives = taker.side === 0 ? quoteAmount : baseAmount;
	const takerGets = taker.side === 0 ? baseAmount : quoteAmount;
	const takerRow = words[takerWord | orderWord.gets];
	const makerRow = words[makerWord | orderWord.gets];
	const { row: takerFeeRow, amount: takerFeeAmount, asset: takerFeeAsset } = commissionOf(state, book, taker.account, takerRow, takerGets, false);
	const { row: makerFeeRow, amount: makerFeeAmount, asset: makerFeeAsset } = commissionOf(state, book, makerAccount, makerRow, takerGives, true);
	book.trades += 1;
	trade.symbol = book.symbol;
	trade.trade = book.trades;
	trade.price = price;
	trade.lots = lots;
	trade.quoteAmount = quoteAmount;
	trade.takerSide = taker.side === 0 ? "buy" : "sell";
	trade.taker = takerNumber;
	trade.maker = makerNumber;
	trade.takerAccount = taker.account;
	trade.makerAccount = makerAccount;
	trade.fillOfTaker = taker.fills + 1;
	trade.takerFee = takerFeeAmount;
	trade.takerFeeAsset = takerFeeAsset;
	trade.makerFee = makerFeeAmount;
	trade.makerFeeAsset = makerFeeAsset;
	trade.takerView = state.takerView.at(taker.slot);
	trade.makerView = state.makerView.at(maker);
	state.emit.tradeExecuted(trade);
	if (taker.hold >= 0) ledger.payFromHold(taker.hold, takerGives, takerNumber);
	else ledger.post(words[takerWord | orderWord.gives], -takerGives, "fill", takerNumber);
	ledger.post(takerRow, takerGets, "fill", takerNumber);
	payCommission(state, takerFeeRow, takerFeeAmount, takerNumber);
	if (taker.hold >= 0 && taker.side === 0 && price < taker.limit) ledger.release(taker.hold, (taker.limit - price) * lots * book.quotePerTickLot, "surplusRelease", takerNumber);
	ledger.payFromHold(words[makerWord | orderWord.hold], takerGets, makerNumber);
	ledger.post(makerRow, takerGives, "fill", makerNumber);
	payCommission(state, makerFeeRow, makerFeeAmount, makerNumber);
	bookCommission(state, takerFeeAsset, takerFeeAmount, takerNumber);
	bookCommission(state, makerFeeAsset, makerFeeAmount, makerNumber);
}
/** Counts the fill on the taker and in its record. */
function advanceTaker(state, taker, lots, quoteAmount, price) {
	const { doubles } = state.tables.orders;
	const double = taker.slot << 4;
	taker.fills += 1;
	taker.executed += lots;
	taker.executedQuote += quoteAmount;
	taker.lastFillPrice = price;
	if (taker.byBudget) taker.budget -= quoteAmount;
	else taker.open -= lots;
	doubles[double | orderDouble.open] = taker.byBudget ? taker.executed : taker.open;
	doubles[double | orderDouble.executedQuote] = taker.executedQuote;
	doubles[double | orderDouble.updatedAt] = state.at;
}
// src/engine/matching/taker.ts
/**
* The order that is being matched, unpacked. One object serves every order in turn: the match loop allocates nothing.
*/
var Taker = class {
	constructor() {
		this.slot = 0;
		this.account = 0;
		this.side = 0;
		this.limit = 0;
		this.open = 0;
		this.byBudget = false;
		this.budget = 0;
		this.hold = -1;
		this.stp = 0;
		this.executed = 0;
		this.executedQuote = 0;
		this.fills = 0;
		this.lastFillPrice = 0;
	}
	/** Points at a fresh record. `limit` may be looser than the order's own price only for market orders. */
	start(state, slot, limit, hold) {
		const { doubles, words } = state.tables.orders;
		const double = slot << 4;
		const word = slot << 5;
		const flags = words[word | orderWord.flags];
		this.slot = slot;
		this.account = words[word | orderWord.account];
		this.side = flags & 1;
		this.limit = limit;
		this.byBudget = isByBudgetFlags(flags);
		this.open = this.byBudget ? 0 : doubles[double | orderDouble.asked];
		this.budget = this.byBudget ? doubles[double | orderDouble.asked] : 0;
		this.hold = hold;
		this.stp = activeStp(state, this.account, stpOfFlags(flags));
		this.executed = 0;
		this.executedQuote = 0;
		this.fills = 0;
		this.lastFillPrice = 0;
	}
	/** Whether prevention keeps this order from trading with `maker`. decisions.md section 3, Self-trade prevention. */
	avoids(state, maker) {
		return this.stp !== 0 && isSamePerson(state, this.account, maker);
	}
};
/** Prevention is active when asked for and the account's master has a group; answers the mode's index or 0. */
function activeStp(state, account, stp) {
	return stp !== 0 && state.stpGroups.hasAny(state.accounts.words[account << 3 | accountWord.master]) ? stp : 0;
}
/** Whether two accounts are one person for self-trade prevention: the same, or in one group. */
const isSamePerson = (state, taker, maker) => taker === maker || state.stpGroups.together(taker, maker);
/** Whether the mode takes the resting order away. */
const cancelsMaker = (stp) => stpModes[stp] === "cancelMaker" || stpModes[stp] === "cancelBoth";
/** Whether the mode ends the incoming order. */
const cancelsTaker = (stp) => stpModes[stp] === "cancelTaker" || stpModes[stp] === "cancelBoth";
// src/engine/matching/match.ts
/** Matches a taker against the opposing side in price-time order until it is done or stopped. */
function match(state, book, taker) {
	const { levels, orders, queues } = state.tables;
	while (taker.byBudget || taker.open > 0) {
		const level = book.best(taker.side ^ 1);
		if (level < 0) return "exhausted";
		const price = levels.price(level);
		if (taker.side === 0 ? price > taker.limit : price < taker.limit) return "exhausted";
		const unit = price * book.quotePerTickLot;
		const wanted = taker.byBudget ? Math.floor(taker.budget / unit) : taker.open;
		if (wanted === 0) return "done";
		const maker = queues.first(levels.queue(level));
		if (taker.avoids(state, orders.words[maker << 5 | orderWord.account])) {
			if (cancelsMaker(taker.stp)) removeResting(state, book, maker, "stp", state.makerView);
			if (cancelsTaker(taker.stp)) return "stp";
			continue;
		}
		const lots = Math.min(wanted, orders.doubles[maker << 4 | orderDouble.open]);
		if (taker.executedQuote + lots * unit > Number.MAX_SAFE_INTEGER) return "byExchange";
		executeFill(state, book, taker, maker, level, lots);
	}
	return "done";
}
// src/engine/matching/walk.ts
const result = {
	lots: 0,
	quote: 0,
	prevented: false
};
/** Walks the opposing side as matching would. Answers one reused object; cost grows with the orders passed. */
function walk(state, book, order) {
	const { levels, orders, queues } = state.tables;
	result.lots = 0;
	result.quote = 0;
	result.prevented = false;
	book.side(order.side ^ 1).walk((level) => {
		const price = levels.price(level);
		if (order.side === 0 ? price > order.limit : price < order.limit) return false;
		const unit = price * book.quotePerTickLot;
		if (order.stp === 0) return take(order, levels.lots(level), unit);
		return queues.every(levels.queue(level), (slot) => {
			const maker = orders.words[slot << 5 | orderWord.account];
			if (!isSamePerson(state, order.account, maker)) return take(order, orders.doubles[slot << 4 | orderDouble.open], unit);
			result.prevented = true;
			return !cancelsTaker(order.stp);
		});
	});
	return result;
}
/** Takes what is wanted of `lots`; answers whether more is wanted. */
function take(order, lots, unit) {
	const wanted = Math.min(order.lots - result.lots, Math.floor((order.budget - result.quote) / unit));
	const taken = Math.min(lots, wanted);
	result.lots += taken;
	result.quote += taken * unit;
	return taken < wanted;
}
// src/engine/matching/refusal.ts
/** The first part of `refusalOf`: what applies whether or not the id is in use. */
function refusalBeforeId(state, account, order, isIdFit) {
	const book = state.books[order.symbol];
	if (book === void 0) return "unknownSymbol";
	return refusalByRules(book, order) ?? refusalByTerms(order, isIdFit) ?? refusalBySize(state, book, order) ?? refusalByBand(book, order) ?? refusalByAccount(state, account, order);
}
/** The rest of `refusalOf`, for an order that the first part let pass. */
function refusalAfterId(state, account, order, isIdInUse) {
	const book = state.books[order.symbol];
	return (isIdInUse ? "clientOrderIdInUse" : null) ?? refusalByLiquidity(state, book, order) ?? refusalByFunds(state, book, account, order);
}
function refusalByRules(book, order) {
	if ((book.allowed(order.side === "buy" ? 0 : 1) & 1 << kindCode(order.kind)) !== 0) return null;
	const { rules } = book;
	if (rules.status !== "online") return "tradingSuspended";
	if (!rules.apiTradingAllowed) return "apiTradingOff";
	const { tradeSideType } = rules;
	if (tradeSideType !== "all" && tradeSideType !== (order.side === "buy" ? "buyOnly" : "sellOnly")) return "sideNotAllowed";
	return order.kind === "market" ? "marketNotAllowed" : "kindNotAllowed";
}
/** Zero is well formed: it is below every minimum. */
const isAmount = (value) => value !== null && Number.isSafeInteger(value) && value >= 0;
function refusalByTerms(order, isIdFit) {
	return (order.kind === "market" ? order.price === null && order.quantity === null !== (order.budget === null) && isAmount(order.quantity ?? order.budget) : isAmount(order.price) && order.price !== 0 && isAmount(order.quantity) && order.budget === null) && isIdFit ? null : "malformedOrder";
}
/** Price times quantity in quote units; beyond 2^53 some number that is greater still. */
const notional = (book, price, lots) => price * lots * book.quotePerTickLot;
function refusalBySize(state, book, order) {
	const isMarket = order.kind === "market";
	const lots = order.quantity;
	if (lots !== null && (lots < book.minLots || lots === 0)) return "belowMinimumQuantity";
	const amount = lots === null ? order.budget : notional(book, order.price ?? marketReference(state, book, order), lots);
	if (lots === null && amount === 0) return "belowMinimumAmount";
	if (amount < book.minNotional(isMarket) && (amount > 0 || lots === null)) return "belowMinimumAmount";
	if (amount > book.maxNotional(isMarket)) return "aboveMaximumAmount";
	if (lots !== null && lots * book.basePerLot > Number.MAX_SAFE_INTEGER) return "aboveMaximumAmount";
	return null;
}
/** Price at which a market order by quantity is sized: the last, else the best opposing; 0 when there is neither. */
function marketReference(state, book, order) {
	if (book.lastPrice !== 0) return book.lastPrice;
	const best = book.best(order.side === "buy" ? 1 : 0);
	return best < 0 ? 0 : state.tables.levels.price(best);
}
/** PERCENT_PRICE_BY_SIDE: buys of the three printed types, sells of every priced type. Document 1, Symbol. */
function refusalByBand(book, order) {
	const { lastPrice } = book;
	if (order.price === null || lastPrice === 0) return null;
	if (order.side === "sell") return order.price < shareUp(lastPrice, book.askMultiplierDownPpm) ? "priceOutsideBand" : null;
	if (order.kind === "postOnly") return null;
	return order.price > shareDown(lastPrice, book.bidMultiplierUpPpm) ? "priceOutsideBand" : null;
}
function refusalByAccount(state, account, order) {
	const { accounts } = state;
	if (!accounts.isUser(account)) return "unknownAccount";
	if ((accounts.words[account << 3 | accountWord.flags] & accountFlag.unusable) !== 0) return "accountNotUsable";
	return (order.kind === "limit" || order.kind === "postOnly") && accounts.words[account << 3 | accountWord.openCount] >= accounts.words[account << 3 | accountWord.openMax] ? "tooManyOpenOrders" : null;
}
function refusalByLiquidity(state, book, order) {
	if (order.kind !== "postOnly" && order.kind !== "market") return null;
	const best = book.best(order.side === "buy" ? 1 : 0);
	if (order.kind === "market") return best < 0 ? "noOpposingOrder" : null;
	if (best < 0) return null;
	const price = state.tables.levels.price(best);
	return (order.side === "buy" ? order.price >= price : order.price <= price) ? "wouldTakeLiquidity" : null;
}
function refusalByFunds(state, book, account, order) {
	const { balances } = state.ledger;
	const isBuy = order.side === "buy";
	const row = balances.find(account, isBuy ? book.quote : book.base);
	const free = row < 0 ? 0 : balances.free.near(row);
	if (free >= fundsAtWorst(state, book, order) || free >= fundsNeeded(state, book, account, order)) return null;
	return isBuy ? "notEnoughQuote" : "notEnoughBase";
}
/** At least what `fundsNeeded` answers, told without looking into the book: no fill is worse than the limit. */
function fundsAtWorst(state, book, order) {
	if (order.quantity === null) return order.side === "buy" ? order.budget : Number.POSITIVE_INFINITY;
	if (order.side === "sell") return order.quantity * book.basePerLot;
	return notional(book, order.price ?? collarPrice(state, book, 0), order.quantity);
}
/** What an order may have to give at worst, in the asset that it gives. */
function fundsNeeded(state, book, account, order) {
	const isBuy = order.side === "buy";
	if (order.kind !== "market" || isBuy === (order.budget !== null)) return fundsAtWorst(state, book, order);
	const side = isBuy ? 0 : 1;
	const met = walk(state, book, {
		account,
		side,
		limit: collarPrice(state, book, side),
		lots: order.quantity ?? Number.POSITIVE_INFINITY,
		budget: order.budget ?? Number.POSITIVE_INFINITY,
		stp: activeStp(state, account, stpCode(order.stpMode))
	});
	return isBuy ? met.quote : met.lots * book.basePerLot;
}
// src/engine/matching/place-order.ts
const taker = new Taker();
/** Places one order: accepted and matched, answered again, or refused. Tells exactly one of the three. */
function placeOrder(state, account, order) {
	const { clientOrderId } = order;
	const { clientIds } = state.tables;
	const isIdFit = clientOrderId === null || clientIds.want(account, clientOrderId);
	const early = refusalBeforeId(state, account, order, isIdFit);
	const known = clientOrderId === null || !isIdFit ? noOrder : clientIds.findWanted(state.at);
	if (known !== 2147483647 && isSameOrder(state.tables.show(known, state.takerView), order)) {
		state.emit.orderRepeated(state.takerView);
		return;
	}
	const reason = early ?? refusalAfterId(state, account, order, known !== 2147483647);
	if (reason !== null) {
		state.emit.orderRefused(account, order.symbol, reason, clientOrderId);
		return;
	}
	const book = state.books[order.symbol];
	const limit = order.price ?? collarPrice(state, book, order.side === "buy" ? 0 : 1);
	const slot = enterRecord(state, book, account, order, limit);
	state.emit.orderAccepted(state.takerView.at(slot));
	const hold = openHold(state, book, slot, order);
	taker.start(state, slot, limit, hold);
	finish$1(state, book, order, order.kind === "fillOrKill" ? fillOrKill(state, book) : match(state, book, taker));
	book.assertUncrossed();
}
function isSameOrder(view, order) {
	return view.symbol === order.symbol && view.side === order.side && view.kind === order.kind && (order.price === null || view.price === order.price) && view.askedQuantity === (order.quantity ?? 0) && view.budget === order.budget && view.stpMode === order.stpMode;
}
function enterRecord(state, book, account, order, limit) {
	const { tables, ledger } = state;
	const slot = tables.orders.take();
	const { doubles, words } = tables.orders;
	const double = slot << 4;
	const word = slot << 5;
	const isBuy = order.side === "buy";
	tables.lastOrder += 1;
	doubles[double] = tables.lastOrder;
	doubles[double | orderDouble.price] = limit;
	doubles[double | orderDouble.asked] = order.quantity ?? order.budget;
	doubles[double | orderDouble.open] = order.quantity ?? 0;
	doubles[double | orderDouble.executedQuote] = 0;
	doubles[double | orderDouble.acceptedAt] = state.at;
	doubles[double | orderDouble.updatedAt] = state.at;
	words[word | orderWord.account] = account;
	words[word | orderWord.symbol] = book.symbol;
	words[word | orderWord.flags] = packFlags(isBuy ? 0 : 1, kindCode(order.kind), stpCode(order.stpMode), order.budget !== null);
	words[word | orderWord.level] = -1;
	words[word | orderWord.hold] = -1;
	words[word | orderWord.accountLine] = -1;
	const { base, quote } = book;
	words[word | orderWord.gives] = ledger.balances.row(account, isBuy ? quote : base);
	words[word | orderWord.gets] = ledger.balances.row(account, isBuy ? base : quote);
	if (order.clientOrderId !== null) tables.clientIds.writeFound(slot);
	return slot;
}
/** Orders that may rest set aside their worst case at once; others pay from free balance. Answers the hold or -1. */
function openHold(state, book, slot, order) {
	if (order.kind !== "limit" && order.kind !== "postOnly") return -1;
	const { words } = state.tables.orders;
	const lots = order.quantity;
	const amount = order.side === "buy" ? order.price * lots * book.quotePerTickLot : lots * book.basePerLot;
	const word = slot << 5;
	const hold = state.ledger.openHold(words[word | orderWord.gives], amount, state.tables.lastOrder);
	words[word | orderWord.hold] = hold;
	return hold;
}
/** All at once or nothing, counting only liquidity that self-trade prevention would not remove. */
function fillOrKill(state, book) {
	const wanted = {
		account: taker.account,
		side: taker.side,
		limit: taker.limit,
		lots: taker.open,
		budget: Number.POSITIVE_INFINITY,
		stp: taker.stp
	};
	if (walk(state, book, wanted).lots === taker.open) return match(state, book, taker);
	return walk(state, book, {
		...wanted,
		stp: 0
	}).lots === taker.open ? "stp" : "exhausted";
}
/** Rests what may rest, closes what may not. */
function finish$1(state, book, order, end) {
	const { slot } = taker;
	if (taker.byBudget ? isBudgetSpent(book, end) : taker.open === 0) closeOrder(state, slot, "filled", state.takerView);
	else if (end === "stp" || end === "byExchange") closeOrder(state, slot, end, state.takerView);
	else if (order.kind === "limit" || order.kind === "postOnly") rest(state, book, slot);
	else closeOrder(state, slot, reasonOfRest(state, book, end), state.takerView);
}
/** A budget is spent when what is left of it cannot trade one more lot. */
function isBudgetSpent(book, end) {
	if (taker.executed === 0) return false;
	if (end === "done") return true;
	return end === "exhausted" && taker.budget < taker.lastFillPrice * book.quotePerTickLot;
}
/** A market order's rest was stopped by the collar if there is still liquidity beyond it. */
function reasonOfRest(state, book, end) {
	return kindOfFlags(state.tables.orders.words[taker.slot << 5 | orderWord.flags]) === kindCode("market") && end === "exhausted" && book.best(taker.side ^ 1) >= 0 ? "collar" : "unfilledRest";
}
function rest(state, book, slot) {
	const { tables } = state;
	const price = tables.orders.doubles[slot << 4 | orderDouble.price];
	const level = book.side(taker.side).find(priceKey(taker.side, price));
	if (level >= 0 && tables.levels.lots(level) + taker.open > Number.MAX_SAFE_INTEGER) {
		closeOrder(state, slot, "byExchange", state.takerView);
		return;
	}
	linkOpen(state, slot);
	tables.enterIndexes(slot);
	const at = tables.enqueue(book, taker.side, slot, level);
	book.version += 1;
	state.emit.levelChanged(book.symbol, book.version, taker.side === 0 ? "buy" : "sell", price, tables.levels.lots(at));
}
// src/engine/commands/command-table.ts
/** What applies each kind of command. */
const commandTable = {
	placeOrder: (state, { account, order }) => placeOrder(state, account, order),
	placeOrders: (state, { account, orders }) => {
		for (const order of orders) placeOrder(state, account, order);
	},
	requote: (state, { account, symbol, cancel, place }) => {
		if (place.some((order) => order.symbol !== symbol)) {
			refuse(state, "invalidConfiguration");
			return;
		}
		for (const order of cancel) cancelIfOpen(state, account, symbol, order);
		for (const order of place) placeOrder(state, account, order);
	},
	cancelOrder: (state, { account, symbol, ref }) => cancelOrder(state, account, symbol, ref),
	cancelOrders: (state, { account, symbols }) => cancelOrders(state, account, symbols),
	configureAsset,
	configureSymbol,
	configureFeeToken,
	openAccount,
	setAccountStatus,
	setAccountTerms,
	setFeeDeduction,
	createApiKey,
	deleteApiKey,
	creditFunds,
	createStpGroup,
	deleteStpGroup,
	addToStpGroup,
	removeFromStpGroup,
	createListenKey,
	renewListenKey,
	deleteListenKey,
	banAddress,
	advanceClock,
	assertDigest
};
// src/engine/look-ahead.ts
/** So many commands are looked at together: about as many reads as a processor can wait for at a time. */
const groupSize = 16;
/** With fewer live orders all that commands touch stays at hand anyway. */
const ordersWorthIt = 32768;
/**
* Reads where the next commands will work, so that all of it is on its way from memory at the same time, instead of
* each command waiting for its own. It goes step by step, not command by command: what one step reads tells where the
* next one has to, and the reads of one step do not wait for each other. Changes nothing, and nothing depends on
* whether it was done.
*/
var LookAhead = class {
	constructor(state) {
		this.accounts = new Int32Array(groupSize);
		this.symbols = new Int32Array(groupSize);
		this.sides = new Int32Array(groupSize);
		this.keys = new Float64Array(groupSize);
		this.levels = new Int32Array(groupSize);
		this.makers = new Int32Array(groupSize);
		this.placing = 0;
		this.cancelled = new Float64Array(groupSize);
		this.slots = new Int32Array(groupSize);
		this.cancelling = 0;
		this.onItsWay = 0;
		this.state = state;
	}
	/** To be called for every entry before it is applied; looks at the next few when it is their turn. */
	at(entries, index) {
		if (index % groupSize !== 0) return;
		const { clientIds, orders } = this.state.tables;
		clientIds.expectNone();
		if (orders.count < ordersWorthIt) return;
		this.placing = 0;
		this.cancelling = 0;
		const end = Math.min(index + groupSize, entries.length);
		for (let next = index; next < end; next += 1) this.gather(entries[next].command);
		this.touchOrders();
		this.touchCancels();
	}
	gather(command) {
		const { state } = this;
		if (command.kind === "placeOrder") {
			const { account, order } = command;
			if (state.books[order.symbol] === void 0 || !state.accounts.isUser(account)) return;
			const { placing } = this;
			this.accounts[placing] = account;
			this.symbols[placing] = order.symbol;
			this.sides[placing] = order.side === "buy" ? 0 : 1;
			this.keys[placing] = order.price === null ? Number.POSITIVE_INFINITY : priceKey(this.sides[placing], order.price);
			this.placing = placing + 1;
			if (order.clientOrderId !== null) state.tables.clientIds.expect(account, order.clientOrderId);
		} else if (command.kind === "cancelOrder") {
			const { account, ref } = command;
			if (!("order" in ref) || !state.accounts.isUser(account)) return;
			this.cancelled[this.cancelling] = ref.order;
			this.cancelling += 1;
		}
	}
	touchOrders() {
		const { state, accounts, symbols, sides, keys, levels, makers, placing } = this;
		const { tables } = state;
		const { balances } = state.ledger;
		const { words } = state.accounts;
		let sum = state.tables.clientIds.touchExpected();
		for (let at = 0; at < placing; at += 1) {
			const book = state.books[symbols[at]];
			sum ^= words[accounts[at] << 3] ^ book.touch();
		}
		for (let at = 0; at < placing; at += 1) {
			const { base, quote } = state.books[symbols[at]];
			sum ^= balances.touchIndex(accounts[at], base) ^ balances.touchIndex(accounts[at], quote);
		}
		for (let at = 0; at < placing; at += 1) {
			const side = sides[at];
			sum ^= state.books[symbols[at]].side(side).touch(keys[at]);
		}
		for (let at = 0; at < placing; at += 1) {
			const { base, quote } = state.books[symbols[at]];
			sum ^= balances.touchRow(accounts[at], base) ^ balances.touchRow(accounts[at], quote);
			sum ^= tables.openOrders.touchEnd(words[accounts[at] << 3 | accountWord.openOrders]);
		}
		for (let at = 0; at < placing; at += 1) levels[at] = this.levelMet(at);
		for (let at = 0; at < placing; at += 1) sum ^= tables.levels.touch(levels[at]);
		for (let at = 0; at < placing; at += 1) sum ^= levels[at] < 0 ? 0 : tables.queues.touch(tables.levels.queue(levels[at]));
		let met = 0;
		for (let at = 0; at < placing; at += 1) {
			if (levels[at] < 0) continue;
			const maker = tables.queues.first(tables.levels.queue(levels[at])) << 5;
			makers[met] = maker;
			met += 1;
			sum ^= tables.orders.words[maker] ^ tables.orders.words[maker | orderWord.hold];
		}
		for (let at = 0; at < met; at += 1) sum ^= this.touchPlaces(makers[at]);
		this.onItsWay = sum;
	}
	/** The level that an order would meet first, -1 if it would only rest. */
	levelMet(at) {
		const book = this.state.books[this.symbols[at]];
		const opposing = this.sides[at] ^ 1;
		return book.bestKey(opposing) + this.keys[at] >= 0 ? book.best(opposing) : -1;
	}
	/** Reads what a live order is bound up with. */
	touchPlaces(word) {
		const { tables, accounts, ledger } = this.state;
		const { words } = tables.orders;
		return accounts.words[words[word | orderWord.account] << 3] ^ tables.levels.touch(words[word | orderWord.level]) ^ tables.queues.touch(words[word | orderWord.levelLine]) ^ tables.openOrders.touch(words[word | orderWord.accountLine]) ^ ledger.holds.touch(words[word | orderWord.hold]) ^ ledger.balances.touch(words[word | orderWord.gives]) ^ ledger.balances.touch(words[word | orderWord.gets]);
	}
	touchCancels() {
		const { cancelled, slots, cancelling } = this;
		const { tables } = this.state;
		const { words } = tables.orders;
		let sum = 0;
		for (let at = 0; at < cancelling; at += 1) sum ^= tables.numbers.touch(cancelled[at]);
		for (let at = 0; at < cancelling; at += 1) {
			const slot = slotOf(tables.numbers.find(cancelled[at]));
			slots[at] = slot;
			if (slot >= 0) sum ^= words[slot << 5] ^ words[slot << 5 | orderWord.hold];
		}
		for (let at = 0; at < cancelling; at += 1) if (slots[at] >= 0) sum ^= this.touchPlaces(slots[at] << 5);
		this.onItsWay = sum;
	}
};
// src/base/utf8.ts
const isHigh = (unit) => (unit & 64512) === 55296;
const isLow = (unit) => (unit & 64512) === 56320;
/** Bytes that `writeUtf8` needs for `text`. A surrogate without its partner counts three. */
function utf8Size(text) {
	let size = text.length;
	for (let index = 0; index < text.length; index += 1) {
		const unit = text.charCodeAt(index);
		if (unit < 128) continue;
		if (unit < 2048) size += 1;
		else if (isHigh(unit) && index + 1 < text.length && isLow(text.charCodeAt(index + 1))) {
			size += 2;
			index += 1;
		} else size += 2;
	}
	return size;
}
/** Writes `text`, whose `utf8Size` is `size`, at `start` of `target`, which has room for it. */
function writeUtf8(text, size, target, start) {
	let at = start;
	if (size === text.length) {
		for (let index = 0; index < size; index += 1) target[at++] = text.charCodeAt(index);
		return;
	}
	for (let index = 0; index < text.length; index += 1) {
		const code = text.codePointAt(index);
		if (code < 128) target[at++] = code;
		else if (code < 2048) {
			target[at++] = 192 | code >>> 6;
			target[at++] = 128 | code & 63;
		} else if (code < 65536) {
			target[at++] = 224 | code >>> 12;
			target[at++] = 128 | code >>> 6 & 63;
			target[at++] = 128 | code & 63;
		} else {
			index += 1;
			target[at++] = 240 | code >>> 18;
			target[at++] = 128 | code >>> 12 & 63;
			target[at++] = 128 | code >>> 6 & 63;
			target[at++] = 128 | code & 63;
		}
	}
}
// src/base/bytes.ts
/** Bytes that are not what a reader expects: cut short, out of range, or not in the one form the writer gives. */
var MalformedBytes = class extends Error {
	constructor(..._args) {
		super(..._args);
		this.name = "MalformedBytes";
	}
};
const twoTo28 = 268435456;
const varintSizeMax = 8;
/**
* Grows as it is written to. Numbers are little-endian; lengths and counts are varints. Every value has exactly one
* encoding, so equal values give equal bytes.
*/
var ByteWriter = class {
	constructor(sizeAtFirst = 1024) {
		this.end = 0;
		this.buffer = new Uint8Array(sizeAtFirst);
		this.view = new DataView(this.buffer.buffer);
	}
	/** Bytes written so far. */
	get size() {
		return this.end;
	}
	/** Makes room for `size` more bytes, so that the next writes need not grow. */
	reserve(size) {
		if (this.end + size <= this.buffer.length) return;
		const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.end + size));
		larger.set(this.buffer.subarray(0, this.end));
		this.buffer = larger;
		this.view = new DataView(larger.buffer);
	}
	u8(value) {
		if (this.end === this.buffer.length) this.reserve(1);
		this.buffer[this.end] = value;
		this.end += 1;
	}
	u16(value) {
		this.reserve(2);
		this.view.setUint16(this.end, value, true);
		this.end += 2;
	}
	u32(value) {
		this.reserve(4);
		this.view.setUint32(this.end, value, true);
		this.end += 4;
	}
	f64(value) {
		this.reserve(8);
		this.view.setFloat64(this.end, value, true);
		this.end += 8;
	}
	/** A bigint of the signed 64-bit range. @throws MalformedBytes outside of it. */
	i64(value) {
		if (BigInt.asIntN(64, value) !== value) throw new MalformedBytes("bigint outside of 64 bits");
		this.reserve(8);
		this.view.setBigInt64(this.end, value, true);
		this.end += 8;
	}
	/** A safe integer from 0, seven bits a byte. @throws MalformedBytes for any other number. */
	varint(value) {
		if (value < 0 || !Number.isSafeInteger(value)) throw new MalformedBytes(`not a safe integer from 0: ${value}`);
		this.reserve(varintSizeMax);
		this.seven(value);
	}
	/** A safe integer of either sign: the sign and six bits in the first byte, then as `varint`. */
	signedVarint(value) {
		if (!Number.isSafeInteger(value)) throw new MalformedBytes(`not a safe integer: ${value}`);
		this.reserve(9);
		const magnitude = value < 0 ? -value : value;
		const sign = value < 0 ? 1 : 0;
		if (magnitude < 64) {
			this.buffer[this.end++] = magnitude << 1 | sign;
			return;
		}
		this.buffer[this.end++] = magnitude % 64 << 1 | sign | 128;
		this.seven(Math.floor(magnitude / 64));
	}
	/** The varint's bytes, where room was made before. */
	seven(value) {
		const buffer = this.buffer;
		let at = this.end;
		let rest = value;
		if (value >= twoTo28) {
			const low = value % twoTo28;
			buffer[at] = low & 127 | 128;
			buffer[at + 1] = low >>> 7 & 127 | 128;
			buffer[at + 2] = low >>> 14 & 127 | 128;
			buffer[at + 3] = low >>> 21 | 128;
			at += 4;
			rest = (value - low) / twoTo28;
		}
		while (rest > 127) {
			buffer[at++] = rest & 127 | 128;
			rest >>>= 7;
		}
		buffer[at++] = rest;
		this.end = at;
	}
	/** Varint of the size in UTF-8, then the text. A lone surrogate survives as the three bytes of its code. */
	text(value) {
		const size = utf8Size(value);
		this.reserve(size + varintSizeMax);
		this.seven(size);
		writeUtf8(value, size, this.buffer, this.end);
		this.end += size;
	}
	/** The bytes as they are, without a length. */
	raw(bytes) {
		this.reserve(bytes.length);
		this.buffer.set(bytes, this.end);
		this.end += bytes.length;
	}
	/** Leaves `size` zero bytes to be patched later. Answers their position. */
	skip(size) {
		this.reserve(size);
		const at = this.end;
		this.buffer.fill(0, at, at + size);
		this.end += size;
		return at;
	}
	/** Overwrites four bytes at a position that `skip` or `size` gave. @throws MalformedBytes beyond what is written. */
	patchU32(at, value) {
		if (at < 0 || at + 4 > this.end) throw new MalformedBytes(`no four bytes written at ${at}`);
		this.view.setUint32(at, value, true);
	}
	/** What is written, as a view that the next write or `reset` may change. */
	written() {
		return this.buffer.subarray(0, this.end);
	}
	/** What is written, for keeps; the writer starts anew with a fresh buffer. */
	take() {
		const taken = this.buffer.subarray(0, this.end);
		this.buffer = new Uint8Array(Math.min(this.buffer.length, 65536));
		this.view = new DataView(this.buffer.buffer);
		this.end = 0;
		return taken;
	}
	/** Forgets what was written and keeps the room. */
	reset() {
		this.end = 0;
	}
};
(() => {
	const tables = /* @__PURE__ */ new Int32Array(2048);
	for (let byte = 0; byte < 256; byte += 1) {
		let rest = byte;
		for (let bit = 0; bit < 8; bit += 1) rest = (rest & 1) === 0 ? rest >>> 1 : rest >>> 1 ^ 2197175160;
		tables[byte] = rest;
	}
	for (let index = 256; index < 2048; index += 1) {
		const before = tables[index - 256];
		tables[index] = before >>> 8 ^ tables[before & 255];
	}
	return tables;
})();
const fresh = [
	608135816,
	94570707,
	320440878,
	57701188
];
/** Announces a number that is not a signed 32-bit one; itself such a number, so that no two sequences look alike. */
const wideMark = -2147483648;
const finish = (word) => {
	let mixed = word ^ word >>> 16;
	mixed = Math.imul(mixed, 2146121005);
	mixed = Math.imul(mixed ^ mixed >>> 15, 2221713035);
	return mixed ^ mixed >>> 16;
};
const hex = (word) => (word >>> 0).toString(16).padStart(8, "0");
/** A shift register of four words: each word that comes in is mixed with two lanes into the new last lane. */
var ShiftHash = class ShiftHash {
	constructor() {
		this.a = 0;
		this.b = 0;
		this.c = 0;
		this.d = 0;
	}
	u32(word) {
		const scrambled = Math.imul(word, 3432918353);
		let mixed = this.a ^ Math.imul(scrambled << 15 | scrambled >>> 17, 461845907);
		mixed = Math.imul(mixed ^ mixed >>> 15, 739982445);
		this.a = this.b;
		this.b = this.c;
		this.c = this.d;
		this.d = (mixed ^ mixed >>> 13) + (this.d << 7 | this.d >>> 25) ^ this.a | 0;
	}
	number(value) {
		const low = value | 0;
		if (low === value && low !== wideMark) {
			this.u32(low);
			return;
		}
		assert(Number.isSafeInteger(value), "only safe integers are hashed");
		this.u32(wideMark);
		this.u32(low);
		this.u32(Math.floor(value / 4294967296));
	}
	bytes(bytes, start = 0, end = bytes.length) {
		assert(start >= 0 && start <= end && end <= bytes.length, "the range lies within the bytes");
		this.number(end - start);
		let at = start;
		for (; at + 4 <= end; at += 4) this.u32(bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24);
		let rest = 0;
		for (let shift = 0; at < end; at += 1, shift += 8) rest |= bytes[at] << shift;
		if ((end - start & 3) !== 0) this.u32(rest);
	}
	text(text) {
		const length = text.length;
		this.u32(length);
		for (let index = 0; index + 1 < length; index += 2) this.u32(text.charCodeAt(index) | text.charCodeAt(index + 1) << 16);
		if ((length & 1) === 1) this.u32(text.charCodeAt(length - 1));
	}
	digest() {
		const end = new ShiftHash();
		end.load(this.save());
		for (let round = 0; round < 8; round += 1) end.u32(2654435769 + round);
		const a = finish(end.a);
		const b = finish(end.b ^ a);
		const c = finish(end.c ^ b);
		const d = finish(end.d ^ c);
		return hex(a ^ d) + hex(b) + hex(c) + hex(d);
	}
	save() {
		return [
			this.a,
			this.b,
			this.c,
			this.d
		];
	}
	load(state) {
		this.a = state[0] | 0;
		this.b = state[1] | 0;
		this.c = state[2] | 0;
		this.d = state[3] | 0;
	}
};
/** Starts a hash, or goes on from a saved one. */
function createHash128(state = fresh) {
	const hash = new ShiftHash();
	hash.load(state);
	return hash;
}
// src/base/canonical-text.ts
/**
* A value as text that depends on its content only: members sorted by name, big integers marked. For digests; not meant
* to be read back.
*/
function canonicalText(value) {
	if (typeof value === "bigint") return `${value}n`;
	if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
	return `{${Object.entries(value).sort(([first], [second]) => first < second ? -1 : 1).map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join(",")}}`;
}
// src/engine/snapshot/order-image.ts
/** Every book: counters, then bids and asks, the best price first and in each price the first to arrive. */
function writeBooks(writer, state) {
	writer.varint(state.tables.lastOrder);
	for (const book of state.books) {
		writer.varint(book.version);
		writer.varint(book.trades);
		writer.varint(book.lastPrice);
		writeSide(writer, state, book, 0);
		writeSide(writer, state, book, 1);
	}
}
/** Closed orders whose client ids are kept, the earliest closed first. */
function writeClosedOrders(writer, state) {
	const { closed } = state.tables;
	const turns = closed.turns(state.at);
	writer.varint(turns.length);
	for (const turn of turns) {
		const position = closed.position(turn);
		const word = position << 5;
		writer.varint(closed.records.words[word | orderWord.symbol]);
		writeRecord(writer, closed.records, position << 4, word, 0);
	}
}
function writeSide(writer, state, book, side) {
	const { levels, queues } = state.tables;
	const slots = [];
	book.side(side).walk((level) => queues.every(levels.queue(level), (slot) => slots.push(slot) > 0));
	writer.varint(slots.length);
	for (const slot of slots) writeOrder(writer, state, slot);
}
function writeOrder(writer, state, slot) {
	const { records } = state.tables.orders;
	const word = slot << 5;
	const held = state.ledger.holds.amount(records.words[word | orderWord.hold]);
	writeRecord(writer, records, slot << 4, word, held + 1);
}
/** `held`: what the order holds plus one, 0 where it holds nothing. */
function writeRecord(writer, { doubles, words }, double, word, held) {
	for (let field = orderDouble.number; field <= orderDouble.updatedAt; field += 1) writer.varint(doubles[double + field]);
	writer.varint(words[word | orderWord.account]);
	writer.varint(withIdLength(words[word | orderWord.flags], 0));
	writer.varint(held);
	const length = idLengthOfFlags(words[word | orderWord.flags]);
	writer.text(textOfRecord(words, word | orderWord.clientId, length));
}
// src/engine/accounts/api-keys.ts
/** Keys by which accounts sign; each account's in the order of their creation. */
var ApiKeys = class {
	constructor() {
		this.byAccessKey = /* @__PURE__ */ new Map();
		this.ofAccount = /* @__PURE__ */ new Map();
	}
	of(account) {
		return this.ofAccount.get(account) ?? [];
	}
	put(key) {
		this.byAccessKey.set(key.accessKey, key);
		const list = this.ofAccount.get(key.account);
		if (list === void 0) this.ofAccount.set(key.account, [key]);
		else list.push(key);
	}
	delete(key) {
		this.byAccessKey.delete(key.accessKey);
		this.ofAccount.set(key.account, this.of(key.account).filter((other) => other !== key));
	}
};
// src/engine/accounts/listen-keys.ts
/**
* Listen keys by hash, kept in the order in which they expire: every key lives equally long, so the key made or renewed
* last stands last.
*/
var ListenKeys = class {
	constructor() {
		this.byHash = /* @__PURE__ */ new Map();
		this.ofAccount = /* @__PURE__ */ new Map();
		this.nothingBefore = Number.POSITIVE_INFINITY;
	}
	get(keyHash) {
		return this.byHash.get(keyHash) ?? null;
	}
	/** The first to expire first. */
	of(account) {
		return [...this.ofAccount.get(account) ?? []].map((keyHash) => this.byHash.get(keyHash));
	}
	all() {
		return [...this.byHash.values()];
	}
	/** The key that expires first, if its time has come. */
	expired(now) {
		return this.nothingBefore > now ? null : this.firstIfExpired(now);
	}
	/** Enters a key behind all others, or moves it there. */
	put(key) {
		this.delete(key);
		this.byHash.set(key.keyHash, key);
		this.nothingBefore = Math.min(this.nothingBefore, key.expiresAt);
		const own = this.ofAccount.get(key.account);
		if (own === void 0) this.ofAccount.set(key.account, /* @__PURE__ */ new Set([key.keyHash]));
		else own.add(key.keyHash);
	}
	delete(key) {
		this.byHash.delete(key.keyHash);
		const own = this.ofAccount.get(key.account);
		own?.delete(key.keyHash);
		if (own?.size === 0) this.ofAccount.delete(key.account);
	}
	firstIfExpired(now) {
		const [first] = this.byHash.values();
		this.nothingBefore = first?.expiresAt ?? Number.POSITIVE_INFINITY;
		return first !== void 0 && first.expiresAt <= now ? first : null;
	}
};
// src/engine/accounts/stp-groups.ts
/** Self-trade-prevention groups: who counts as one trader. Document 2, STP strategy groups. */
var StpGroups = class {
	/** What matching asks for is kept in the accounts' own records. */
	constructor(accounts) {
		this.groups = /* @__PURE__ */ new Map();
		this.lastGroup = 0;
		this.groupsOfMaster = /* @__PURE__ */ new Map();
		this.groupsOfMember = /* @__PURE__ */ new Map();
		this.accounts = accounts;
	}
	ofMaster(master) {
		return (this.groupsOfMaster.get(master) ?? []).map((id) => this.groups.get(id));
	}
	hasAny(master) {
		return this.accounts.words[master << 3 | accountWord.groupsOwned] > 0;
	}
	/** Whether two different accounts stand in one group. */
	together(first, second) {
		const { words } = this.accounts;
		const own = words[first << 3 | accountWord.groupOfMember];
		const other = words[second << 3 | accountWord.groupOfMember];
		if (own === 0 || other === 0) return false;
		return own > 0 && other > 0 ? own === other : this.shareOne(first, second);
	}
	put(group) {
		this.groups.set(group.group, group);
		this.lastGroup = Math.max(this.lastGroup, group.group);
		append(this.groupsOfMaster, group.master, group.group);
		for (const member of group.members) append(this.groupsOfMember, member, group.group);
		this.mirror(group.master, group.members);
	}
	delete(group) {
		this.groups.delete(group.group);
		drop(this.groupsOfMaster, group.master, group.group);
		for (const member of group.members) drop(this.groupsOfMember, member, group.group);
		this.mirror(group.master, group.members);
	}
	join(group, member) {
		if (group.members.includes(member)) return;
		group.members.push(member);
		append(this.groupsOfMember, member, group.group);
		this.mirror(group.master, [member]);
	}
	leave(group, member) {
		if (!group.members.includes(member)) return;
		group.members = group.members.filter((other) => other !== member);
		drop(this.groupsOfMember, member, group.group);
		this.mirror(group.master, [member]);
	}
	shareOne(first, second) {
		const others = this.groupsOfMember.get(second);
		return this.groupsOfMember.get(first).some((group) => others.includes(group));
	}
	mirror(master, members) {
		const { words } = this.accounts;
		words[master << 3 | accountWord.groupsOwned] = this.groupsOfMaster.get(master)?.length ?? 0;
		for (const member of members) {
			const groups = this.groupsOfMember.get(member) ?? [];
			words[member << 3 | accountWord.groupOfMember] = groups.length > 1 ? -1 : groups[0] ?? 0;
		}
	}
};
function append(index, key, group) {
	const list = index.get(key);
	if (list === void 0) index.set(key, [group]);
	else list.push(group);
}
function drop(index, key, group) {
	const rest = (index.get(key) ?? []).filter((other) => other !== group);
	if (rest.length === 0) index.delete(key);
	else index.set(key, rest);
}
// src/domain/rejection.ts
/**
* Why the engine refuses a command, in order of precedence for orders: the first that applies is answered.
* decisions.md section 3. `api/errors.ts` gives each its public code.
*/
const rejectReasons = [
	"unknownSymbol",
	"tradingSuspended",
	"apiTradingOff",
	"sideNotAllowed",
	"kindNotAllowed",
	"marketNotAllowed",
	"malformedOrder",
	"belowMinimumQuantity",
	"belowMinimumAmount",
	"aboveMaximumAmount",
	"priceOutsideBand",
	"tooManyOpenOrders",
	"clientOrderIdInUse",
	"wouldTakeLiquidity",
	"noOpposingOrder",
	"notEnoughQuote",
	"notEnoughBase",
	"unknownOrder",
	"unknownAccount",
	"accountNotUsable",
	"unknownAsset",
	"notEnoughFunds",
	"aboveAssetCap",
	"uidInUse",
	"accessKeyInUse",
	"unknownKey",
	"tooManyKeys",
	"listenKeyInUse",
	"unknownListenKey",
	"tooManyListenKeys",
	"groupNameInUse",
	"tooManyGroups",
	"unknownGroup",
	"notOfThisMaster",
	"invalidConfiguration",
	"digestMismatch"
];
// src/engine/emitter.ts
const perTwo32 = 1 / 4294967296;
const reasonCodes = new Map(rejectReasons.map((reason, code) => [reason, code]));
/**
* Passes events on to the sink of the running command and folds each into the rolling digest, so that two engines that
* ever said anything different can be told apart by 128 bits.
*/
var Emitter = class {
	constructor() {
		this.sink = deafSink;
		this.a = 1779033703;
		this.b = 1013904242;
		this.c = 1359893119;
		this.d = 528734635;
	}
	entryBegan(seq, at) {
		this.mix(1, seq, at);
		this.sink.entryBegan(seq, at);
	}
	orderAccepted(order) {
		this.mix(2, order.order, order.account);
		this.mix(order.symbol, order.price, order.askedQuantity);
		this.sink.orderAccepted(order);
	}
	orderRepeated(order) {
		this.mix(3, order.order, order.account);
		this.sink.orderRepeated(order);
	}
	orderRefused(account, symbol, reason, clientOrderId) {
		this.mix(4, account, reasonCodes.get(reason));
		this.sink.orderRefused(account, symbol, reason, clientOrderId);
	}
	cancelRefused(account, symbol, reason) {
		this.mix(5, account, reasonCodes.get(reason));
		this.sink.cancelRefused(account, symbol, reason);
	}
	tradeExecuted(trade) {
		this.mix(trade.price, trade.lots, trade.taker);
		this.mix(trade.maker, trade.takerFee, trade.makerFee);
		this.sink.tradeExecuted(trade);
	}
	orderFilled(order, lots, price) {
		this.sink.orderFilled(order, lots, price);
	}
	orderClosed(order) {
		this.mix(7, order.order, order.executed);
		this.sink.orderClosed(order);
	}
	levelChanged(symbol, version, side, price, lots) {
		this.mix(version, price, lots);
		this.sink.levelChanged(symbol, version, side, price, lots);
	}
	posted(account, asset, free, held, why, order) {
		this.mix(account * 4099 + asset, free, held);
		this.sink.posted(account, asset, free, held, why, order);
	}
	fact(fact) {
		this.text(canonicalText(fact));
		this.sink.fact(fact);
	}
	/** Digest of everything said so far. */
	digest() {
		const word = (value) => (value >>> 0).toString(16).padStart(8, "0");
		return as(word(this.a) + word(this.b) + word(this.c) + word(this.d));
	}
	save() {
		return [
			this.a,
			this.b,
			this.c,
			this.d
		];
	}
	load(state) {
		[this.a, this.b, this.c, this.d] = state;
	}
	/**
	* Folds three safe integers in, low and high words apart; each step can be undone, so nothing collides in one place.
	*/
	mix(x, y, z) {
		const a = Math.imul(this.a ^ x, 2654435761) ^ x * perTwo32;
		const b = Math.imul(this.b ^ y, 2246822519) ^ y * perTwo32;
		const c = Math.imul(this.c ^ z, 3266489917) ^ z * perTwo32;
		const d = this.d;
		this.a = d ^ (a << 13 | a >>> 19) | 0;
		this.b = a ^ a >>> 15;
		this.c = b + (c << 7 | c >>> 25) | 0;
		this.d = c ^ b >>> 16 | 0;
	}
	text(text) {
		this.mix(text.length, 0, 0);
		for (let index = 0; index < text.length; index += 3) this.mix(text.charCodeAt(index), text.charCodeAt(index + 1) | 0, text.charCodeAt(index + 2) | 0);
	}
};
// src/engine/ledger/int64-column.ts
const two32 = 4294967296;
/** One field of records of 32 bytes: exact 64-bit integers to which safe integers are added without allocating. */
var Int64Column = class {
	/** `field` counts the 64-bit fields of a record before this one. */
	constructor(room, field) {
		this.room = room;
		this.field = field;
	}
	get(row) {
		return this.room.longs[row << 2 | this.field];
	}
	set(row, value) {
		this.room.longs[row << 2 | this.field] = value;
	}
	/** Adds a safe integer, exactly. */
	add(row, delta) {
		const at = row << 3 | this.field << 1;
		const { words } = this.room;
		const high = Math.floor(delta / two32);
		const sum = (words[at] >>> 0) + (delta - high * two32);
		words[at] = sum | 0;
		words[at | 1] = words[at | 1] + high + (sum >= two32 ? 1 : 0) | 0;
	}
	/** The value where it is a safe integer; beyond, some number on the same side of every safe integer. */
	near(row) {
		const at = row << 3 | this.field << 1;
		return this.room.words[at | 1] * two32 + (this.room.words[at] >>> 0);
	}
	isNegative(row) {
		return this.room.words[row << 3 | this.field << 1 | 1] < 0;
	}
};
// src/engine/ledger/balance-table.ts
const wordsShift = 3;
const accountAt = 4;
const assetAt = 5;
const nextAt = 6;
/**
* Where an account's money of one asset is: a row from the first movement on, for ever. One record is 32 bytes: free,
* held, account, asset, next row of the account.
*/
var BalanceTable = class {
	constructor() {
		this.count = 0;
		this.room = new Room();
		this.free = new Int64Column(this.room, 0);
		this.held = new Int64Column(this.room, 1);
		this.firstOfAccount = new Room();
		this.index = new HashIndex();
		this.latest = 0;
	}
	/** Row of (account, asset), made if it does not exist yet. */
	row(account, asset) {
		const row = this.find(account, asset);
		return row >= 0 ? row : this.make(account, asset);
	}
	/** Row of (account, asset), -1 if there never was money. */
	find(account, asset) {
		const { index } = this;
		const { words } = this.room;
		const last = this.latest << wordsShift;
		if (words[last | accountAt] === account && words[last | assetAt] === asset && this.count > 0) return this.latest;
		const hash = hashOf(account, asset);
		for (let at = index.first(hash); at !== -1; at = index.next(at, hash)) {
			const row = index.reference(at);
			const word = row << wordsShift;
			if (words[word | accountAt] === account && words[word | assetAt] === asset) return this.latest = row;
		}
		return -1;
	}
	/** Reads where the row of (account, asset) is looked for, so that it is at hand soon; the answer means nothing. */
	touchIndex(account, asset) {
		return this.index.touch(hashOf(account, asset));
	}
	/** Reads the row of (account, asset), so that it is at hand soon; what it answers means nothing. */
	touchRow(account, asset) {
		const at = this.index.first(hashOf(account, asset));
		return at === -1 ? 0 : this.touch(this.index.reference(at));
	}
	/** Reads a row, so that it is at hand soon; what it answers means nothing. */
	touch(row) {
		return row < 0 ? 0 : this.room.words[row << wordsShift];
	}
	accountOf(row) {
		return this.room.words[row << wordsShift | accountAt];
	}
	assetOf(row) {
		return this.room.words[row << wordsShift | assetAt];
	}
	/** First row of an account, -1 if none; go on with `next`. Newest row first. */
	first(account) {
		return account < this.firstOfAccount.words.length ? this.firstOfAccount.words[account] - 1 : -1;
	}
	/** Next row of the same account, -1 at the end. */
	next(row) {
		return this.room.words[row << wordsShift | nextAt] - 1;
	}
	make(account, asset) {
		if (this.count << wordsShift === this.room.words.length) this.room.grow();
		while (account >= this.firstOfAccount.words.length) this.firstOfAccount.grow();
		const row = this.count++;
		const word = row << wordsShift;
		const { words } = this.room;
		words[word | accountAt] = account;
		words[word | assetAt] = asset;
		words[word | nextAt] = this.firstOfAccount.words[account];
		this.firstOfAccount.words[account] = row + 1;
		this.index.add(hashOf(account, asset), row);
		return row;
	}
};
function hashOf(account, asset) {
	const mixed = Math.imul(account, 2654435761) ^ Math.imul(asset + 1, 2246822507);
	return mixed ^ mixed >>> 15;
}
// src/engine/ledger/hold-table.ts
/**
* Money set aside, each piece a record of its own with the row it came from: what is held on a row is always the sum of
* its holds. Orders name their hold by its id and never touch a balance themselves.
*/
var HoldTable = class {
	constructor() {
		this.count = 0;
		this.room = new Room();
		this.freeHead = -1;
		this.used = 0;
	}
	/** A new hold of `amount` on a balance row; answers its id. */
	open(row, amount) {
		let hold = this.freeHead;
		if (hold >= 0) this.freeHead = this.room.words[hold << 2 | 2];
		else {
			if (this.used << 1 === this.room.doubles.length) this.room.grow();
			hold = this.used++;
		}
		this.count += 1;
		this.room.words[hold << 2 | 2] = row;
		this.room.doubles[hold << 1] = amount;
		return hold;
	}
	/** Reads a hold, so that it is at hand soon; what it answers means nothing. */
	touch(hold) {
		return hold < 0 ? 0 : this.room.words[hold << 2];
	}
	row(hold) {
		return this.room.words[hold << 2 | 2];
	}
	amount(hold) {
		return this.room.doubles[hold << 1];
	}
	reduce(hold, amount) {
		this.room.doubles[hold << 1] = this.room.doubles[hold << 1] - amount;
	}
	close(hold) {
		this.count -= 1;
		this.room.doubles[hold << 1] = -1;
		this.room.words[hold << 2 | 2] = this.freeHead;
		this.freeHead = hold;
	}
};
// src/engine/ledger/ledger.ts
/**
* Double entry over users, house and the outside world. The book speaks to it in holds, fills and releases only.
* After every command the postings of each asset sum to zero and nobody but the outside is below zero.
*/
var Ledger = class {
	constructor(emit) {
		this.balances = new BalanceTable();
		this.holds = new HoldTable();
		this.net = new Float64Array(engineLimits.assets);
		this.isTouched = new Uint8Array(engineLimits.assets);
		this.touched = new Int32Array(engineLimits.assets);
		this.touchedCount = 0;
		this.feeRows = new Int32Array(engineLimits.assets);
		this.emit = emit;
	}
	canGive(row, amount) {
		return this.balances.free.near(row) >= amount;
	}
	/** Sets money aside: free becomes held. The caller has checked `canGive`. */
	openHold(row, amount, order) {
		this.balances.free.add(row, -amount);
		this.balances.held.add(row, amount);
		assert(!this.balances.free.isNegative(row), "free balance stays above zero");
		this.emit.posted(this.accountOf(row), this.assetOf(row), -amount, amount, "orderHold", order);
		return this.holds.open(row, amount);
	}
	/** Pays a fill out of a hold. */
	payFromHold(hold, amount, order) {
		const row = this.holds.row(hold);
		assert(this.holds.amount(hold) >= amount, "a hold covers its fill");
		this.holds.reduce(hold, amount);
		this.balances.held.add(row, -amount);
		this.enter(row, 0, -amount, "fill", order);
	}
	/** Gives part of a hold back to its owner. */
	release(hold, amount, why, order) {
		const row = this.holds.row(hold);
		assert(this.holds.amount(hold) >= amount, "a hold covers its release");
		this.holds.reduce(hold, amount);
		this.balances.held.add(row, -amount);
		this.balances.free.add(row, amount);
		this.emit.posted(this.accountOf(row), this.assetOf(row), amount, -amount, why, order);
	}
	/** Ends a hold; what it still covers goes back to its owner. */
	closeHold(hold, why, order) {
		const rest = this.holds.amount(hold);
		if (rest > 0) this.release(hold, rest, why, order);
		this.holds.close(hold);
	}
	/** Moves free money of one row: one leg of double entry. */
	post(row, amount, why, order) {
		this.balances.free.add(row, amount);
		if (amount < 0) assert(!this.balances.free.isNegative(row) || this.accountOf(row) === house.outside, "free balance stays above zero");
		this.enter(row, amount, 0, why, order);
	}
	/** Both legs of a movement that may exceed a safe integer. Answers nothing; the caller has checked funds and cap. */
	move(from, to, asset, amount, why) {
		this.moveLeg(from, asset, -amount, why);
		this.moveLeg(to, asset, amount, why);
	}
	/** Ends a command: stops the role if money was made or lost. */
	settle() {
		for (let index = 0; index < this.touchedCount; index += 1) {
			const asset = this.touched[index];
			assert(this.net[asset] === 0, "postings of a command sum to zero per asset");
			this.isTouched[asset] = 0;
		}
		this.touchedCount = 0;
	}
	/** Row of the house's fees in an asset. */
	feeRow(asset) {
		const known = this.feeRows[asset];
		if (known > 0) return known - 1;
		const row = this.balances.row(house.fees, asset);
		this.feeRows[asset] = row + 1;
		return row;
	}
	accountOf(row) {
		return this.balances.accountOf(row);
	}
	assetOf(row) {
		return this.balances.assetOf(row);
	}
	moveLeg(account, asset, amount, why) {
		const row = this.balances.row(account, asset);
		const after = this.balances.free.get(row) + amount;
		assert(after >= 0n || account === house.outside, "free balance stays above zero");
		this.balances.free.set(row, after);
		this.emit.fact({
			kind: "fundsMoved",
			account,
			asset,
			free: amount,
			held: 0n,
			why
		});
	}
	enter(row, free, held, why, order) {
		const asset = this.balances.assetOf(row);
		this.net[asset] = this.net[asset] + free + held;
		if (this.isTouched[asset] === 0) {
			this.isTouched[asset] = 1;
			this.touched[this.touchedCount++] = asset;
		}
		this.emit.posted(this.balances.accountOf(row), asset, free, held, why, order);
	}
};
// src/engine/state.ts
/**
* All state, in one tree; whatever is not here does not survive a restart. Maps are indexes only: no order shows
* outside.
*/
var EngineState = class {
	constructor() {
		this.emit = new Emitter();
		this.ledger = new Ledger(this.emit);
		this.accounts = new AccountTable();
		this.keys = new ApiKeys();
		this.stpGroups = new StpGroups(this.accounts);
		this.listenKeys = new ListenKeys();
		this.tables = new BookTables();
		this.books = [];
		this.symbolByName = /* @__PURE__ */ new Map();
		this.assets = [];
		this.assetByCode = /* @__PURE__ */ new Map();
		this.bookByAssets = /* @__PURE__ */ new Map();
		this.feeToken = null;
		this.bans = /* @__PURE__ */ new Map();
		this.seq = as(0);
		this.at = as(0);
		this.checkpoint = {
			at: as(0),
			digest: as("")
		};
		this.takerView = this.tables.newCursor();
		this.makerView = this.tables.newCursor();
	}
};
// src/engine/snapshot/state-image.ts
const imageVersion = 1;
const imageEnd = 1651471730;
/**
* The whole state as bytes: position and digests of events, then the business state in canonical order, then closed
* orders whose client ids are still kept. Layout depends on content only, never on slots or insertion order of maps.
*/
function writeState(state) {
	const writer = new ByteWriter(1 << 20);
	writer.u32(imageVersion);
	writer.varint(state.seq);
	writer.varint(state.at);
	for (const word of state.emit.save()) writer.u32(word >>> 0);
	writer.varint(state.checkpoint.at);
	writer.text(state.checkpoint.digest);
	writeBusiness(writer, state);
	writeClosedOrders(writer, state);
	writeRecords(writer, state.listenKeys.all());
	writer.u32(imageEnd);
	return writer.take();
}
/** Digest of the business state: without positions, event digests and forgotten orders. */
function businessDigest(state) {
	const writer = new ByteWriter(65536);
	writeBusiness(writer, state);
	return digestOf(writer.written());
}
function digestOf(business) {
	const hash = createHash128();
	hash.bytes(business);
	return as(hash.digest());
}
function writeBusiness(writer, state) {
	writer.varint(state.assets.length);
	for (const asset of state.assets) {
		writer.text(asset.code);
		writer.text(asset.fullName);
		writer.u8(asset.scale);
		writer.i64(asset.cap);
		writer.text(asset.coinId);
	}
	writeRecords(writer, state.feeToken === null ? [] : [state.feeToken]);
	writeRecords(writer, state.books.map((book) => book.rules));
	writeRecords(writer, state.accounts.records);
	writeRecords(writer, state.accounts.records.flatMap((account) => state.keys.of(account.account)));
	writer.varint(state.stpGroups.lastGroup);
	writeRecords(writer, [...state.stpGroups.groups.values()].sort((first, second) => first.group - second.group));
	writeRecords(writer, [...state.bans.values()]);
	writeBalances(writer, state);
	writeBooks(writer, state);
}
/** Records without big integers, members sorted by name. */
function writeRecords(writer, records) {
	writer.varint(records.length);
	for (const record of records) writer.text(canonicalText(record));
}
/** By account, then asset; rows that hold nothing are left out. */
function writeBalances(writer, state) {
	const { balances } = state.ledger;
	for (let account = 0; account < state.accounts.size; account += 1) {
		const rows = [];
		for (let row = balances.first(account); row >= 0; row = balances.next(row)) if (balances.free.get(row) !== 0n || balances.held.get(row) !== 0n) rows.push(row);
		rows.sort((first, second) => balances.assetOf(first) - balances.assetOf(second));
		writer.varint(rows.length);
		for (const row of rows) {
			writer.varint(balances.assetOf(row));
			writer.i64(balances.free.get(row));
			writer.i64(balances.held.get(row));
		}
	}
}
// src/engine/create-engine.ts
/**
* The state machine and the state that questions are asked of. What applies commands are closures over the state, not
* methods: in a process with one engine V8 takes what they close over for constants (docs/decisions/0012).
*/
var StateMachine = class {
	constructor(state = new EngineState()) {
		this.state = state;
		this.ahead = new LookAhead(state);
		const run = commandRunner(state);
		this.apply = (entry, sink) => {
			assert(entry.seq === state.seq + 1, "entries follow each other without a gap");
			assert(entry.at >= state.at, "engine time never decreases");
			state.seq = entry.seq;
			state.at = entry.at;
			if (state.emit.sink !== sink) state.emit.sink = sink;
			state.emit.entryBegan(entry.seq, entry.at);
			closeExpiredListenKeys(state);
			run(entry.command);
			state.ledger.settle();
			if (entry.seq % engineLimits.digestInterval === 0) state.checkpoint = {
				at: entry.seq,
				digest: state.emit.digest()
			};
		};
	}
	get seq() {
		return this.state.seq;
	}
	get at() {
		return this.state.at;
	}
	lookAhead(entries, index) {
		this.ahead.at(entries, index);
	}
	/** Digest after the last entry whose position is a multiple of the digest interval; what `assertDigest` compares. */
	get checkpoint() {
		return this.state.checkpoint;
	}
	eventDigest() {
		return this.state.emit.digest();
	}
	digest() {
		return businessDigest(this.state);
	}
	snapshot() {
		return writeState(this.state);
	}
};
/** Applies commands: the two commonest kinds by a straight path, the rest by the table, which is kept total. */
function commandRunner(state) {
	const place = (account, order) => placeOrder(state, account, order);
	const cancel = (account, symbol, ref) => cancelOrder(state, account, symbol, ref);
	return (command) => {
		switch (command.kind) {
			case "placeOrder":
				place(command.account, command.order);
				return;
			case "cancelOrder":
				cancel(command.account, command.symbol, command.ref);
				return;
			default: commandTable[command.kind](state, command);
		}
	};
}
/** An engine at genesis. */
const createEngine = () => new StateMachine();
// benchmarks/harness.ts
/** Seconds that `work` took. */
function timed(work) {
	const began = performance.now();
	work();
	return (performance.now() - began) / 1e3;
}
// benchmarks/permissive-listing.ts
const permissive = {
	name: "",
	base: as(0),
	quote: as(0),
	priceDecimals: 2,
	quantityDecimals: 4,
	status: "online",
	tradeSideType: "all",
	orderKinds,
	apiTradingAllowed: true,
	minLots: as(1),
	minNotional: as(1),
	minNotionalMarket: as(1),
	maxNotional: as(2 ** 50),
	maxNotionalMarket: as(2 ** 50),
	makerFeePpm: 1e3,
	takerFeePpm: 2e3,
	bidMultiplierUpPpm: null,
	askMultiplierDownPpm: null,
	collarPpm: 5e4,
	fullName: "",
	contractAddress: "",
	specialTreatment: false
};
/** Listing of a pair that allows everything, with `changes` on top. */
const listingOf = (changes) => ({
	...permissive,
	...changes
});
// benchmarks/workload-exchange.ts
const began = 17e11;
const fundsOfEach = 50000000000000n;
/** Every rule that an order passes is on: fees, percent-price filter, collar, minimums and maximums. */
const listing = (symbol, base, quote) => listingOf({
	name: `S${symbol}`,
	base: as(base),
	quote: as(quote),
	bidMultiplierUpPpm: 12e5,
	askMultiplierDownPpm: 8e5
});
/** Assets of a symbol: base assets first, then the quotes they share. */
function assetsOf(workload, symbol) {
	const perBase = Math.min(workload.symbols, 10);
	const bases = Math.ceil(workload.symbols / perBase);
	return {
		base: Math.floor(symbol / perBase),
		quote: bases + symbol % perBase
	};
}
/** Commands that list the symbols, open the accounts, give each a prevention group, and fund what they will need. */
function* setUpCommands(workload) {
	const { symbols, accounts } = workload;
	const last = assetsOf(workload, symbols - 1);
	const assetCount = Math.max(last.base, assetsOf(workload, Math.min(symbols, 10) - 1).quote) + 1;
	for (let id = 0; id < assetCount; id += 1) yield {
		kind: "configureAsset",
		asset: {
			code: `A${id}`,
			fullName: "",
			scale: 8,
			cap: as(2n ** 62n - 1n),
			coinId: "0".repeat(32)
		}
	};
	for (let id = 0; id < symbols; id += 1) {
		const { base, quote } = assetsOf(workload, id);
		yield {
			kind: "configureSymbol",
			symbol: listing(id, base, quote)
		};
	}
	for (let index = 0; index < accounts; index += 1) {
		const account = as(4 + index);
		yield {
			kind: "openAccount",
			uid: as(1e7 + index),
			name: "",
			master: null,
			class: "user",
			kycLevel: 1,
			simulated: false
		};
		yield {
			kind: "createStpGroup",
			master: account,
			name: "own"
		};
		yield {
			kind: "addToStpGroup",
			master: account,
			group: index + 1,
			members: [account]
		};
	}
	const funded = /* @__PURE__ */ new Set();
	for (let at = 0; at < workload.count; at += 1) {
		const { base, quote } = assetsOf(workload, workload.symbol[at]);
		const asset = workload.side[at] === 0 ? quote : base;
		const account = workload.account[at];
		const key = account * assetCount + asset;
		if (workload.operation[at] === w1Operation.cancel || funded.has(key)) continue;
		funded.add(key);
		yield {
			kind: "creditFunds",
			account: as(account),
			asset: as(asset),
			amount: as(fundsOfEach)
		};
	}
}
/** So many entries are made at a time. */
const piece$1 = 256;
/** Feeds a workload to an engine, in pieces of entries whose objects are used again, as from a journal's reader. */
var WorkloadFeed = class {
	#slots;
	#entries;
	constructor(workload) {
		this.#slots = Array.from({ length: piece$1 }, () => new EntrySlot(workload));
		this.#entries = this.#slots.map((slot) => slot.entry);
	}
	/** The entry of one operation, to be used before anything else is asked for. */
	entry(index, seq) {
		return this.#slots[0].write(index, seq);
	}
	/** Applies the operations from `from` to before `to`; answers the seconds it took, without making the entries. */
	run(engine, sink, from, to) {
		let seconds = 0;
		for (let first = from; first < to; first += piece$1) {
			const count = Math.min(piece$1, to - first);
			const seq = engine.seq + 1;
			for (let index = 0; index < count; index += 1) this.#slots[index].write(first + index, seq + index);
			seconds += timed(() => this.#apply(engine, sink, count));
		}
		return seconds;
	}
	#apply(engine, sink, count) {
		const entries = this.#entries;
		for (let index = 0; index < count; index += 1) {
			engine.lookAhead(entries, index);
			engine.apply(entries[index], sink);
		}
	}
};
/** An entry that is written over and over, with every command that it may have. */
var EntrySlot = class {
	#workload;
	#order;
	#place;
	#cancel;
	constructor(workload) {
		this.#workload = workload;
		this.#order = {
			symbol: as(0),
			side: "buy",
			kind: "limit",
			price: null,
			quantity: null,
			budget: null,
			clientOrderId: null,
			stpMode: "cancelTaker"
		};
		this.#place = {
			kind: "placeOrder",
			account: as(0),
			order: this.#order
		};
		this.#cancel = {
			kind: "cancelOrder",
			account: as(0),
			symbol: as(0),
			ref: { order: as(0) }
		};
		this.entry = {
			seq: as(0),
			epoch: as(0),
			at: as(0),
			command: this.#place
		};
	}
	/** Makes it the entry of an operation. One operation a millisecond. */
	write(index, seq) {
		const workload = this.#workload;
		const { entry } = this;
		entry.seq = as(seq);
		entry.at = as(began + index);
		if (workload.operation[index] === w1Operation.cancel) {
			const cancel = this.#cancel;
			cancel.account = as(workload.account[index]);
			cancel.symbol = as(workload.symbol[index]);
			cancel.ref.order = workload.order[index];
			entry.command = cancel;
			return entry;
		}
		const isMarket = workload.operation[index] === w1Operation.market;
		const order = this.#order;
		order.symbol = as(workload.symbol[index]);
		order.side = workload.side[index] === 0 ? "buy" : "sell";
		order.kind = isMarket ? "market" : "limit";
		order.price = isMarket ? null : as(workload.price[index]);
		order.quantity = as(workload.quantity[index]);
		order.clientOrderId = clientIdOf(workload, index);
		this.#place.account = as(workload.account[index]);
		entry.command = this.#place;
		return entry;
	}
};
/** An engine with every rule and account of the workload, and empty books. */
function emptyExchange(workload) {
	const engine = createEngine();
	for (const command of setUpCommands(workload)) engine.apply({
		seq: as(engine.seq + 1),
		epoch: as(0),
		at: as(began),
		command
	}, deafSink);
	return engine;
}
// benchmarks/engine-run.ts
/** The published W1 warms up, its continuation is measured in pieces of the same size; or, quick, in smaller ones. */
const cutOfW1 = (quick) => quick ? {
	warmUp: 75e4,
	sample: 25e4
} : {
	warmUp: 1666667,
	sample: 1666667
};
/** W1, long enough for the warm-up, the first turn of `interleave`, and every sample. */
function streamOfW1(cut, samples, size = w1PublishedSize) {
	return generateW1({
		...size,
		limits: Math.ceil((cut.warmUp + cut.sample * (samples + 1)) * .6)
	});
}
/**
* One engine that goes on through a stream. A sample is the next piece of the stream on the same engine, as a running
* exchange would take it: an engine made anew for each sample would make V8 throw its code away with the last one.
*/
var EngineStream = class {
	constructor(workload) {
		this.sink = new RingSink();
		this.workload = workload;
		this.engine = emptyExchange(workload);
		this.feed = new WorkloadFeed(workload);
		this.feed.run(this.engine, this.sink, 0, workload.prefill);
		this.at = workload.prefill;
		this.sink.trades = 0;
		this.sink.lots = 0;
	}
	/** Takes the next operations; answers operations per second. */
	advance(count) {
		const to = Math.min(this.workload.count, this.at + count);
		const from = this.at;
		this.at = to;
		const seconds = this.feed.run(this.engine, this.sink, from, to);
		this.checkTotals();
		return (to - from) / seconds;
	}
	/** Stops the benchmark when operations came out otherwise than in the generator's own book. */
	checkTotals() {
		const { sink, workload, at } = this;
		const isPublished = workload.symbols === 1 && at - workload.prefill === cutOfW1(false).warmUp;
		const expected = at === workload.count ? workload.totals : isPublished ? w1Published : null;
		if (expected !== null && (sink.trades !== expected.trades || sink.lots !== expected.lots) || sink.refused > 0) throw new Error(`the workload came out wrong: ${sink.trades} trades, ${sink.lots} lots, ${sink.refused} refused`);
	}
};
/** A warmed-up engine on W1, ready for samples. */
function warmW1(cut, w1) {
	const stream = new EngineStream(withOwnedCancels(workloadOfW1(w1)));
	stream.advance(cut.warmUp);
	return stream;
}
// benchmarks/peer-order-book.ts
const { OrderBook } = createRequire(import.meta.url)("nodejs-order-book");
/** So many operations are made at a time. */
const piece = 256;
/**
* Runs operations of W1 on nodejs-order-book: a book alone, without ledger, fees, checks or events. Answers the seconds
* it took, without making what it is called with.
*/
function createPeer(w1) {
	const book = new OrderBook();
	const orders = [];
	const apply = (first) => {
		for (let at = 0; at < orders.length; at += 1) {
			const operation = w1.operation[first + at];
			if (operation === w1Operation.cancel) book.cancel(orders[at].id);
			else if (operation === w1Operation.market) book.market(orders[at]);
			else book.limit(orders[at]);
		}
	};
	return (from, to) => {
		let seconds = 0;
		for (let first = from; first < to; first += piece) {
			orders.length = 0;
			for (let index = first; index < Math.min(to, first + piece); index += 1) orders.push(orderOf(w1, index));
			seconds += timed(() => apply(first));
		}
		return seconds;
	};
}
const orderOf = (w1, index) => ({
	id: String(w1.order[index]),
	side: w1.side[index] === 0 ? "buy" : "sell",
	size: w1.quantity[index],
	price: w1.price[index]
});
export { EngineStream, createPeer, streamOfW1, warmW1, wideWorkload };
