import { groups } from '#public-api/catalogue.ts';
import { openApi } from '#public-api/documents/openapi.ts';
import { catalogue as operatorCatalogue } from '#operator-api/catalogue.ts';
import { operatorOpenApi } from '#operator-api/documents/openapi.ts';
import { AnswerCheck } from './answer-check.ts';
import type { HeardAnswer } from './watched-socket.ts';

const checkOf = (document: unknown): AnswerCheck => new AnswerCheck(JSON.parse(JSON.stringify(document)));
const settings = { version: 'test', spotServer: '/', futuresServer: '/', keyHeader: 'X-SVC-APIKEY' };
const customer = checkOf(openApi(groups, settings));
const operator = checkOf(operatorOpenApi(operatorCatalogue, 'test'));

/** No operation has it: what is left is what requests are answered that nothing takes. */
const noMethod = 'NONE';

function faultsBy(check: AnswerCheck, { request, ...answer }: HeardAnswer): readonly string[] {
  const { method, target } = request ?? { method: noMethod, target: '/' };
  const faults = check.faults(method, target, answer);
  // Not every port serves every path.
  if (faults.length === 0 || answer.status !== 404) return faults;
  return check.faults(noMethod, target, answer).length === 0 ? [] : faults;
}

/** Pages and websockets are no operations; their refusals are those of what no operation takes. */
function faultsOf(answer: HeardAnswer): readonly string[] {
  const target = answer.request?.target ?? '/';
  // A fault made it on purpose what no document has.
  if (answer.header('x-bourse-fault') !== null) return [];
  if (/^\/api(\/|\?|$)/.test(target)) return faultsBy(customer, answer);
  if (/^\/v1(\/|\?|$)/.test(target)) return faultsBy(operator, answer);
  // A range that a page does not have is told without a body, and health in a form of its own.
  if (answer.status < 400 || answer.status === 416 || target === '/readyz') return [];
  const faults = faultsBy(customer, answer);
  return faultsBy(operator, answer).length === 0 ? [] : faults;
}

/** What an answer says that no document has, for people; `null`: nothing. */
export function faultOf(answer: HeardAnswer): string | null {
  const faults = faultsOf(answer);
  if (faults.length === 0) return null;
  const { method, target } = answer.request ?? { method: 'bytes', target: 'that are no request' };
  const told = `${answer.status} ${answer.text.slice(0, 300)}: ${faults.slice(0, 5).join('; ')}`;
  return `${method} ${target.slice(0, 200)} answered ${told}`;
}
