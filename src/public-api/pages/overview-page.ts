import { isoTime } from '#base/clock.ts';
import { escapeHtml } from '#base/escape-html.ts';
import type { GatewaySettings } from '#public-api/gateway-context.ts';
import type { MarketOverview, MarketRow, MarketRows } from '#public-api/pages/market-overview.ts';
import { compactText, groupedText, percentText } from '#public-api/pages/number-texts.ts';
import { overviewScript, overviewStyle } from '#public-api/pages/overview-assets.ts';
import { sparkLine } from '#public-api/pages/spark-line.ts';
import type { ProductVersion } from '#http/health-pages.ts';

/** What only the sandbox shows. */
export interface SandboxFacts {
  /** Names of the demo accounts' keys, and what they are for. */
  readonly accounts: readonly { readonly name: string; readonly role: string }[];
  /** Base URL of the operator API; `null` before its port is open. */
  readonly operatorUrl: string | null;
}

/** What the page at `/` tells. */
export interface OverviewFacts {
  readonly version: ProductVersion;
  readonly profile: GatewaySettings['profile'];
  readonly isReady: boolean;
  readonly market: MarketOverview;
  /** `null`: this is no sandbox. */
  readonly sandbox: SandboxFacts | null;
  /** Paths of the other pages by their names in the JSON at `/`. */
  readonly pages: Readonly<Record<string, string>>;
}

const dash = '<span class="soft">–</span>';

const direction = (bps: number): string => (bps > 0 ? 'up' : bps < 0 ? 'down' : 'flat');

function marketRow({ listed, fullName, halted, ticker, chart }: MarketRow): string {
  const { rules, quote } = listed;
  const { last, high, low, changeBps } = ticker;
  const price = (ticks: number | null): string => (ticks === null ? dash : groupedText(ticks, rules.priceDecimals));
  const tag = halted === null ? '' : `<span class="tag">${escapeHtml(halted)}</span> `;
  const turnover = `${compactText(ticker.quoteAmount, quote.scale)} <small>${escapeHtml(quote.code)}</small>`;
  return `<tr class="${direction(changeBps)}">
<th scope="row">${escapeHtml(rules.name)}<small>${tag}${escapeHtml(fullName)}</small></th>
<td class="chart move">${sparkLine(chart)}</td><td class="last">${price(last)}</td>
<td class="change move">${last === null ? dash : percentText(changeBps)}</td>
<td class="wide">${price(high)}</td><td class="wide">${price(low)}</td>
<td class="medium">${last === null ? dash : turnover}</td></tr>`;
}

const tableHead = `<thead><tr><th scope="col">Symbol</th><th scope="col" class="chart">Day</th>
<th scope="col" class="last">Last price</th>
<th scope="col" class="change">24 h<span class="medium"> change</span></th>
<th scope="col" class="wide">24 h high</th><th scope="col" class="wide">24 h low</th>
<th scope="col" class="medium">24 h turnover</th></tr></thead>`;

/** What stands beside the heading of a table. */
function countText({ rows, listed }: MarketRows): string {
  if (listed > rows.length) return `the first ${rows.length} of ${listed}`;
  const isQuiet = listed > 0 && rows.every(({ ticker }) => ticker.last === null);
  return isQuiet ? `${listed} · not traded yet` : `${listed}`;
}

function marketTable(title: string, shown: MarketRows): string {
  const head = `<div class="head"><h2>${title}</h2><span>${countText(shown)}</span></div>`;
  if (shown.listed === 0) return `<section>${head}<p class="none">None is listed.</p></section>`;
  return `<section>${head}
<table>${tableHead}<tbody>${shown.rows.map(marketRow).join('\n')}</tbody></table></section>`;
}

const link = (address: string, text: string): string => `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;
const item = (address: string, text: string, about: string): string =>
  `<li>${link(address, text)}<small>${escapeHtml(about)}</small></li>`;

function references({ pages, sandbox }: OverviewFacts): string {
  const { docs = '', streams = '', openapi = '', asyncapi = '', proto = '' } = pages;
  const operator = sandbox?.operatorUrl ?? null;
  const files = [link(openapi, 'OpenAPI'), link(asyncapi, 'AsyncAPI'), link(proto, 'push.proto')].join(' ');
  return `<section class="references"><h2>References</h2><ul>
${item(docs, 'REST API', 'Every endpoint, to try out')}
${item(`${docs}#tag/futures`, 'Futures', 'Market data of contracts')}
${item(streams, 'Streams', 'Websocket channels')}
${operator === null ? '' : item(`${operator}/docs`, 'Operator API', 'For those who run the exchange')}
<li class="paths">${files}</li></ul></section>`;
}

function accountList({ accounts }: SandboxFacts): string {
  const rows = accounts.map(
    ({ name, role }) => `<li class="row">${escapeHtml(name)} <small>${escapeHtml(role)}</small></li>`,
  );
  return `<section class="accounts"><h2>Accounts</h2><ul>${rows.join('\n')}</ul>
<p>Play money. Keys are in <code>demo.json</code> in the data directory;
the REST reference signs with them.</p></section>`;
}

function healthLinks({ pages }: OverviewFacts): string {
  const links = (['health', 'ready', 'version', 'metrics'] as const).flatMap((name) => {
    const path = pages[name];
    return path === undefined ? [] : [link(path, path)];
  });
  return `<section><h2>Health</h2><ul><li class="paths">${links.join(' ')}</li></ul></section>`;
}

const logo = `<svg viewBox="0 0 16 16" aria-hidden="true"><g class="down"><path class="move" fill="currentColor"
d="M5 4h1v2h1v5H6v2H5v-2H4V6h1z"/></g><g class="up"><path class="move" fill="currentColor"
d="M1 8h1v2h1v4H2v1H1v-1H0v-4h1zM9 6h1v2h1v5h-1v1H9v-1H8V8h1zM13 1h1v2h1v6h-1v2h-1V9h-1V3h1z"/></g></svg>`;

/** The page at `/` in a browser, for people: what runs here, and its market at a glance. DEC-REQ-62, DEC-REQ-63. */
export function overviewPage(facts: OverviewFacts): string {
  const { version, profile, isReady, market, sandbox } = facts;
  const name = escapeHtml(version.name);
  const time = isoTime(market.at).slice(0, 19).replace('T', ' ');
  const state = isReady ? '<b class="ready">Ready</b>' : '<b>Starting</b>';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${name}</title><style>${overviewStyle}</style></head><body>
<header>${logo}<h1>${name}</h1><span class="version">${escapeHtml(version.version)}</span>
<span class="tag ${profile}">${profile}</span>
<div id="state">${state}<span title="Time of the exchange">${time} UTC</span></div></header>
<main><div id="market">
${marketTable('Pairs', market.pairs)}
${marketTable('Contracts', market.contracts)}
</div>
<aside>${references(facts)}
${sandbox === null ? '' : accountList(sandbox)}
${healthLinks(facts)}</aside></main>
<script>${overviewScript}</script></body></html>
`;
}
