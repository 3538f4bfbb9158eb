import { createHash } from 'node:crypto';

/** Style of the page at `/`. Colours follow the browser's light or dark scheme. */
export const overviewStyle = `:root{color-scheme:light dark;--page:#f5f6f8;--card:#fff;--text:#14181f;--soft:#5a6472;
--line:#e2e6eb;--hover:#f7f8fa;--up:#087a4c;--down:#c6262b;--link:#0b5cbf;--tag:#fff3d6;--tag-text:#7a5200}
@media (prefers-color-scheme:dark){:root{--page:#0d1015;--card:#151a21;--text:#e7ebf0;--soft:#97a2af;--line:#262d37;
--hover:#1a2029;--up:#34c98e;--down:#ff7275;--link:#7db8ff;--tag:#3a2e10;--tag-text:#f5cf7a}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
a:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
header,main{max-width:82rem;margin:0 auto;padding:0 1.5rem}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.4rem .75rem;padding-top:1.75rem;padding-bottom:1.5rem}
header svg{width:28px;height:28px;flex:none}
h1{font-size:1.5rem;line-height:1.2;letter-spacing:-.01em;margin:0;text-transform:capitalize}
.version{color:var(--soft)}
.tag{font-size:.75rem;line-height:1.25rem;padding:0 .5rem;border-radius:99px;border:1px solid var(--line);
color:var(--soft);white-space:nowrap}
.tag.sandbox{background:var(--tag);color:var(--tag-text);border-color:transparent}
#state{margin-left:auto;display:flex;flex-wrap:wrap;gap:.1rem 1rem;color:var(--soft);font-variant-numeric:tabular-nums}
#state b{font-weight:500;color:var(--text)}
#state b::before{content:"";display:inline-block;width:.55rem;height:.55rem;border-radius:50%;margin-right:.45rem;
background:var(--soft)}
#state .ready::before{background:var(--up)}#state .lost::before{background:var(--down)}
main{display:grid;grid-template-columns:minmax(0,1fr) 17rem;gap:1.25rem;align-items:start;padding-bottom:3rem}
#market,aside{display:grid;gap:1.25rem}
section{background:var(--card);border:1px solid var(--line);border-radius:10px;overflow:hidden}
h2{font-size:1rem;margin:0}
.head{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .6rem;padding:.9rem 1.1rem .6rem}
.head span{color:var(--soft);font-size:.85rem}
table{border-collapse:collapse;width:100%;table-layout:fixed;font-variant-numeric:tabular-nums}
.chart{width:8.5rem}.last{width:8.5rem}.change{width:6.25rem}.wide{width:7.75rem}.medium{width:9rem}
th,td{padding:.5rem .6rem;text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left;padding-left:1.1rem}
th:last-child,td:last-child{padding-right:1.1rem}
thead th{font-size:.78rem;font-weight:400;color:var(--soft);padding-top:0;padding-bottom:.35rem}
tbody tr{border-top:1px solid var(--line)}tbody tr:hover{background:var(--hover)}
tbody th{font-weight:600;line-height:1.3}tbody th,tbody th small{overflow:hidden;text-overflow:ellipsis}
tbody th small{display:block;font-weight:400;font-size:.8rem;color:var(--soft)}
td.last{font-weight:600}.soft{color:var(--soft);font-weight:400}td small{color:var(--soft);font-size:.8rem}
.up .move{color:var(--up)}.down .move{color:var(--down)}.flat .move{color:var(--soft)}
td.chart{padding-top:.3rem;padding-bottom:.3rem}
.spark{display:block;width:100%;height:2rem}
.spark .line{fill:none;stroke:currentColor;stroke-width:1.5;stroke-linejoin:round;vector-effect:non-scaling-stroke}
.spark .area{fill:currentColor;opacity:.1}
.none{margin:0;padding:0 1.1rem 1.1rem;color:var(--soft)}
aside h2{padding:.9rem 1.1rem .5rem}
aside ul{list-style:none;margin:0;padding:0 1.1rem .9rem}
aside li{padding:.25rem 0}aside li small{display:block;color:var(--soft);font-size:.82rem;line-height:1.35}
aside p{margin:0;padding:0 1.1rem 1rem;color:var(--soft);font-size:.85rem}
aside .row{display:flex;justify-content:space-between;align-items:baseline;gap:1rem}.row small{text-align:right}
.paths{display:flex;flex-wrap:wrap;gap:0 1rem}
.accounts ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:0 2.5rem}
@media (max-width:79rem){.wide{display:none}}
@media (max-width:62rem){main{grid-template-columns:minmax(0,1fr)}aside{display:contents}
.references{order:-1}.references h2,.references small{display:none}
.references ul{display:flex;flex-wrap:wrap;gap:0 1.5rem;padding-top:.6rem;padding-bottom:.6rem}}
@media (max-width:46rem){.medium{display:none}.change{padding-right:1.1rem}}
@media (max-width:34rem){body{font-size:14px}header,main{padding-left:.75rem;padding-right:.75rem}
header{padding-top:1.1rem;padding-bottom:1.1rem}#state{margin-left:0;width:100%}
th,td{padding-left:.3rem;padding-right:.3rem}
th:first-child,td:first-child,.head,aside h2,aside ul,aside p,.none{padding-left:.85rem}
th:last-child,td:last-child{padding-right:.85rem}
.references ul{gap:0 1rem}.chart{width:3.25rem}.last{width:7rem}.change{width:5.25rem;padding-right:.85rem}}
@media (max-width:24rem){table{font-size:13px}.chart{width:3.25rem}.last{width:6.25rem}}
@media (max-width:21.5rem){.chart{display:none}}`;

/** Runs in the browser: takes state and market from a newer page while somebody looks, and says when there is none. */
export const overviewScript = `const parts=['state','market'];let since=null,waits=null;
const clock=()=>new Date().toISOString().slice(11,19)+' UTC';
async function refresh(){
if(!document.hidden&&getSelection().isCollapsed)try{
const answer=await fetch('/',{headers:{accept:'text/html'},signal:AbortSignal.timeout(5000)});
if(!answer.ok)throw new Error(answer.statusText);
const page=new DOMParser().parseFromString(await answer.text(),'text/html');
for(const id of parts)document.getElementById(id).replaceWith(page.getElementById(id));
since=null;
}catch{
since??=clock();
const state=document.querySelector('#state b');state.className='lost';state.textContent='No answer since '+since;
}
clearTimeout(waits);waits=setTimeout(refresh,3000);
}
waits=setTimeout(refresh,3000);
document.addEventListener('visibilitychange',refresh);`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Content security policy of the page: its own style and script, and this server, nothing else. */
export const overviewPolicy =
  `default-src 'none'; style-src ${hashOf(overviewStyle)}; script-src ${hashOf(overviewScript)}; ` +
  "connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
