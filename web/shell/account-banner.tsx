import { accountRights, type AccountRights } from '#web/data/account.ts';
import { Banner } from '#web/design/states.tsx';

/** What an account may not do although it usually may; `null`: nothing. Sub-accounts never pay out by themselves. */
export function bannerText({ canTrade, canWithdraw, canDeposit }: AccountRights): string | null {
  if (!canTrade && !canWithdraw && !canDeposit) return 'This account is frozen: it cannot trade or withdraw.';
  if (!canTrade) return 'Trading is switched off for this account.';
  return canDeposit && !canWithdraw ? 'Withdrawals are switched off for this account.' : null;
}

/** Says above the page what the account may not do, before it tries. DEC-WEB-15. */
export function AccountBanner() {
  const rights = accountRights.value;
  const text = rights === null ? null : bannerText(rights);
  return text === null ? null : <Banner>{text}</Banner>;
}
