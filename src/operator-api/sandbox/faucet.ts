import type { ApiKeyView } from '#model/account.ts';
import { longPermission, type Permission, permissionNames, permissionSet } from '#model/permission.ts';
import { type AccountId, as, type Uid } from '#model/units.ts';
import { newApiKey } from '#http/new-api-key.ts';
import type { Faucet, Grant } from '#sandbox/faucet.ts';
import { accountOfUid } from '#operator-api/accounts/find-account.ts';
import type { HandlerRequest, HandlersOf } from '#operator-api/handlers.ts';
import type { OperatorContext } from '#operator-api/operator-context.ts';
import { type Act, createRequestMemory } from '#operator-api/requests/act.ts';
import { invalidBody, Problem } from '#operator-api/requests/problems.ts';
import type { faucetEndpoints } from '#operator-api/sandbox/faucet-endpoints.ts';
import {
  amountText,
  type ListedAssets,
  listedAssets,
  readAmount,
  readPositiveAmount,
} from '#operator-api/wallet/listed-assets.ts';

type Endpoints = typeof faucetEndpoints;

/** Who gets a key, and what it may do. */
interface KeyTerms {
  readonly account: AccountId;
  readonly uid: Uid;
  readonly note: string;
  readonly permissions: readonly string[];
  /** `null`: it has no end. */
  readonly lifeMs: number | null;
}

const readGrants = (items: HandlerRequest<Endpoints['openFaucet']>['body']['grants'], assets: ListedAssets): Grant[] =>
  items.map(({ asset: code, amount, wallet }, index) => {
    const asset = assets.ofBody(code, `/grants/${index}/asset`);
    return { asset: asset.id, wallet, amount: readPositiveAmount(amount, asset, `/grants/${index}/amount`) };
  });

const aboveCap = (pointer: string): Problem => {
  const detail = 'must be smaller: the asset has a cap';
  return new Problem('aboveAssetCap', { detail: `${pointer} ${detail}.`, errors: [{ pointer, detail }] });
};

/** Makes a key: its only copy is the answer. DEC-KIT-53. */
const createKeyMaker =
  ({ newSecret, sealApiKey, queries }: OperatorContext) =>
  async (act: Act, { account, uid, note, permissions: names, lifeMs }: KeyTerms) => {
    const { accessKey, secretKey } = newApiKey(newSecret);
    const permissions = permissionSet(names.map((name) => longPermission(name) as Permission));
    const sealedSecret = sealApiKey(secretKey, { accessKey, uid, permissions, ips: [] });
    const terms = { accessKey, sealedSecret, note, permissions, ips: [] };
    await act({ kind: 'createApiKey', account, ...terms, unboundLifeMs: lifeMs });
    const made: ApiKeyView | null = await queries.apiKey(accessKey);
    if (made === null) throw new Problem('outcomeUnknown');
    return { accessKey, secretKey, permissions: [...permissionNames(permissions)], endsAt: made.endsAt };
  };

/** What fails after the account is there is told as such: the request cannot be made again as it was. */
async function afterOpening<Answer>(uid: Uid, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const detail = `The account ${uid} was opened, then this came: ${error.message}`;
    throw new Problem('outcomeUnknown', { detail });
  }
}

/** Handlers of the faucet; served only where there is one. DEC-KIT-50 to 53. */
export function faucetHandlers(context: OperatorContext): HandlersOf<Endpoints> {
  const { queries } = context;
  const once = createRequestMemory(context);
  const makeKey = createKeyMaker(context);
  const faucetOf = (): Faucet => {
    if (context.faucet === null) throw new Problem('unknownPath');
    return context.faucet;
  };
  return {
    openFaucet: async ({ body, act, actUnkeyed }) => {
      const faucet = faucetOf();
      const grants = readGrants(body.grants, await listedAssets(queries));
      const misplaced = await faucet.outOfPlace(grants);
      if (misplaced !== null)
        throw invalidBody(`/grants/${grants.indexOf(misplaced)}/wallet`, 'must be spot: the asset is for no contract');
      const tooMuch = await faucet.withoutRoom(grants);
      if (tooMuch !== null) throw aboveCap(`/grants/${grants.indexOf(tooMuch)}/amount`);
      const { uid, name, kycLevel, permissions } = body;
      const events = await act({
        kind: 'registerAccount',
        ...{ uid: uid === undefined ? null : as<Uid>(uid), name, class: body.class, kycLevel },
        ...{ simulated: false, email: null, mobile: null, inviteCode: null },
      });
      const opened = events.find((event) => event.kind === 'accountOpened')?.account;
      if (opened === undefined)
        throw new Problem('idempotencyKeyInUse', {
          detail: 'The account was opened before: its secret was shown then.',
        });
      return afterOpening(opened.uid, async () => {
        for (const command of faucet.commandsOf(opened.account, grants)) await actUnkeyed(command);
        const key = await makeKey(actUnkeyed, { ...opened, note: 'faucet', permissions, lifeMs: null });
        return { uid: opened.uid, key };
      });
    },
    setBalance: (request) =>
      once('setBalance', request, async () => {
        const { path, body, actUnkeyed } = request;
        const { account, uid } = await accountOfUid(queries, path.uid);
        const asset = (await listedAssets(queries)).ofPath(path.asset);
        const { wallet } = body;
        const free = readAmount(body.free, asset, '/free');
        const command = await faucetOf().commandToSet({ account, asset: asset.id, wallet, free });
        if (command !== null) await actUnkeyed(command);
        const now = await queries.subAccounts.transferable(account, wallet, asset.id);
        return { uid, asset: asset.code, wallet, free: amountText(now, asset) };
      }),
    impersonate: async ({ path, body, act }) => {
      faucetOf();
      const { account, uid } = await accountOfUid(queries, path.uid);
      const { note, permissions, seconds } = body;
      return { uid, key: await makeKey(act, { account, uid, note, permissions, lifeMs: seconds * 1000 }) };
    },
  };
}
