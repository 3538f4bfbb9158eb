import { randomBytes } from 'node:crypto';
import { orderKinds } from '#model/order.ts';
import { operatorScopes } from '#operator-api/declaration/endpoint.ts';
import { setupFiles } from '#main/setup/configuration-text.ts';
import { type AllAnswers, listOf, nativeCoinOf, none } from '#main/setup/setup-questions.ts';

/** Scopes of who works at the desk: all but those that make tokens, and those of a sandbox. */
const deskScopes = operatorScopes.filter((scope) => scope !== 'tokens:write' && !scope.endsWith(':control'));
/** Decimals that an asset has on the ledger at most, however many its chain has. */
const scaleMax = 8;
const fullNames: Readonly<Record<string, string>> = { ETH: 'Ether', BNB: 'BNB', USDT: 'Tether', LINK: 'Chainlink' };

/** A coin of the new exchange. */
interface Coin {
  readonly code: string;
  /** `null`: the native coin of the network. */
  readonly contract: string | null;
  readonly chainScale: number;
  readonly price: string;
  /** Whole coins, as text: what is too small to credit alone, the fee, the least and the most of a withdrawal. */
  readonly amounts: readonly [depositMin: string, withdrawFee: string, withdrawMin: string, withdrawMax: string];
}

function coinsOf(answers: AllAnswers) {
  const { quote, quoteContract, quoteDecimals, token, tokenContract, tokenDecimals, nativePrice, tokenPrice } = answers;
  const native: Coin = {
    ...{ code: nativeCoinOf(answers), contract: null, chainScale: 18, price: nativePrice },
    amounts: ['0.01', '0.002', '0.01', '100'],
  };
  const valued: Coin = {
    ...{ code: quote, contract: quoteContract, chainScale: Number(quoteDecimals), price: none },
    amounts: ['5', '3', '10', '100000'],
  };
  const other: Coin = {
    ...{ code: token, contract: tokenContract, chainScale: Number(tokenDecimals), price: tokenPrice },
    amounts: ['1', '0.5', '1', '10000'],
  };
  return { native, valued, other };
}

const scaleOf = ({ chainScale }: Coin): number => Math.min(chainScale, scaleMax);
const written = (value: unknown): string => JSON.stringify(value);
const listed = (words: readonly string[]): string => `[${words.map(written).join(', ')}]`;
/** Members of an object on lines of their own. */
const members = (lines: readonly string[], indent: string): string => lines.join(`,\n${indent}`);

function assetText(coin: Coin): string {
  const body = { fullName: fullNames[coin.code] ?? coin.code, scale: scaleOf(coin), cap: '1000000000' };
  return `${written(coin.code)}: ${written({ ...body, coinId: randomBytes(16).toString('hex') })}`;
}

function networkText(coin: Coin, { network, confirmations }: AllAnswers): string {
  const [depositMin, withdrawFee, withdrawMin, withdrawMax] = coin.amounts;
  return `${written(coin.code)}: {
      ${written(network)}: {
        "label": ${written(coin.contract === null ? network : `${network} (token)`)},
        "contract": ${written(coin.contract)},
        "chainScale": ${coin.chainScale},
        "sharesAddress": false,
        "depositEnabled": true,
        "withdrawEnabled": true,
        "minConfirm": ${confirmations},
        "depositMin": ${written(depositMin)},
        "withdrawFee": ${written(withdrawFee)},
        "withdrawMin": ${written(withdrawMin)},
        "withdrawMax": ${written(withdrawMax)},
        "withdrawStep": ${written(scaleOf(coin) >= 4 ? '0.0001' : '1')},
        "depositDesc": null,
        "depositTips": null,
        "withdrawTips": null
      }
    }`;
}

/** Decimals of prices, by how much a coin is worth; those of quantities are what the quote asset has left. */
function decimalsOf(base: Coin, quote: Coin) {
  const worth = base.price === none ? (base.contract === null ? 1000 : 10) : Number(base.price);
  const priceDecimals = Math.min(worth >= 500 ? 2 : worth >= 1 ? 3 : 6, scaleOf(quote));
  return { priceDecimals, quantityDecimals: Math.min(4, scaleOf(quote) - priceDecimals, scaleOf(base)) };
}

function pairText(base: Coin, quote: Coin): string {
  const { priceDecimals, quantityDecimals } = decimalsOf(base, quote);
  return `${written(base.code + quote.code)}: {
      "base": ${written(base.code)},
      "quote": ${written(quote.code)},
      "priceDecimals": ${priceDecimals},
      "quantityDecimals": ${quantityDecimals},
      "minQuantity": ${written((10 ** -quantityDecimals).toFixed(quantityDecimals))},
      "minAmount": "1",
      "minAmountMarket": "1",
      "maxAmount": "1000000",
      "maxAmountMarket": "100000",
      "orderKinds": ${listed(orderKinds)},
      "sideType": "all",
      "apiTradingAllowed": true,
      "makerFeePpm": 1000,
      "takerFeePpm": 1000,
      "collarPpm": 50000,
      "bidMultiplierUpPpm": 1200000,
      "askMultiplierDownPpm": 800000,
      "fullName": ${written(fullNames[base.code] ?? base.code)},
      "contractAddress": ${written(base.contract ?? '')},
      "specialTreatment": false,
      "status": "online"
    }`;
}

const priceText = ({ code, price }: Coin): string =>
  `${written(code)}: { "price": ${written(price)}, "validHours": 720, "reason": "Set when the exchange was set up." }`;

/** Words as lines of at most five. */
const linesOf = (words: readonly string[]): readonly string[] =>
  words.flatMap((_, index) =>
    index % 5 === 0
      ? [
          words
            .slice(index, index + 5)
            .map(written)
            .join(', '),
        ]
      : [],
  );

function operatorText(person: string): string {
  return `${written(person)}: {
      "scopes": [
        ${members(linesOf(deskScopes), '        ')}
      ],
      "validHours": 8760,
      "tokenFile": ${written(setupFiles.token(person))}
    }`;
}

/** Rules of the wallet; who is alone has no second person for four eyes. */
function walletRulesText({ quote, alone }: AllAnswers): string {
  const fourEyes = alone === 'yes' ? 'null' : '"10000"';
  return `{
    // All amounts here are in this asset.
    "valuedIn": ${written(quote)},
    // Deposits of so much wait for an operator.
    "largeDeposit": "100000",
    // Withdrawn within 24 hours at most, by KYC level from 1.
    "dailyCaps": ["1000", "10000", "100000", "1000000"],
    // Withdrawals of more wait for an operator; of still more for two. null: none.
    "riskHoldAbove": "5000",
    "fourEyesAbove": ${fourEyes},
    // What one operator adjusts within 24 hours without a second one.
    "adjustFourEyesAbove": ${alone === 'yes' ? 'null' : '"1000"'},
    // Above 0, only saved addresses are paid, after so long.
    "newAddressDelayMs": 0,
    "waitMs": 5000,
    "transferable": [${written(quote)}],
    "dustBelow": "5",
    "dustCallMax": "50",
    "dustFeePpm": 2000
  }`;
}

/** The market file of a new exchange: what `bourse op apply` makes of it. */
export function marketText(answers: AllAnswers): string {
  const { native, valued, other } = coinsOf(answers);
  const prices = [native, other].filter(({ price }) => price !== none).map(priceText);
  const alone =
    answers.alone === 'yes'
      ? `
  // What lowers a protection takes effect 24 hours after it was asked for.
  "alone": { "enabled": true },
`
      : '';
  return `\
// What there should be on this exchange. Change it as you like, and apply it again: bourse op apply shows what is
// different, asks, and makes it so. Members are those of the operator API: docs/reference/operator-endpoints.md.
// Look at every amount before customers come.
{${alone}
  "assets": {
    ${members([valued, native, other].map(assetText), '    ')}
  },

  "walletRules": ${walletRulesText(answers)},

  // What rules take a whole coin to be worth, in the asset above, for so many hours. Withdrawals of what has no price
  // wait for a review. One operator sets the first price of a coin while nobody has any; a lower one later needs two.
  "prices": {${prices.length === 0 ? '' : `\n    ${members(prices, '    ')}\n  `}},

  // Terms of each coin on each network. contract and chainScale are those of the chain: wrong ones credit too much.
  "networks": {
    ${members(
      [valued, native, other].map((coin) => networkText(coin, answers)),
      '    ',
    )}
  },

  // Commissions are in parts per million: 1000 is 0.1 %. The first price is that of the first trade.
  "pairs": {
    ${members(
      [native, other].map((base) => pairText(base, valued)),
      '    ',
    )}
  },

  // Who works at the desk. A token is written into its file once, when it is made: give each person his own. The token
  // of root makes tokens, and approves nothing.
  "operators": {
    ${members(listOf(answers.persons).map(operatorText), '    ')}
  }
}
`;
}
