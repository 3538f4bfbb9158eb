import { type BannedTarget, type OperatorBan, operatorBan } from '#model/ban.ts';
import { engineLimits } from '#model/limits.ts';
import { ClientTable } from '#engine/state/accounts/client-table.ts';

/** Bans that operators made. DEC-OPR-175. */
export class OperatorBans extends ClientTable<BannedTarget, OperatorBan> {
  readonly name = 'operatorBans';

  constructor() {
    super(operatorBan, {
      max: engineLimits.operatorBans,
      nameOf: ({ banned, target }) => `${banned} ${target}`,
    });
  }
}
