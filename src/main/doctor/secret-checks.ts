import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationRefused } from '#main/configuration/config.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { type Finding, ok, toldFault } from '#main/doctor/finding.ts';
import { loadMasterKeys, type MasterKeys } from '#main/secrets/master-key.ts';
import { operatorTokenOf } from '#main/secrets/operator-token.ts';

/** The master keys, and what was found about them. */
export interface CheckedKeys {
  readonly finding: Finding;
  /** `null`: there are none yet, or they cannot be used. */
  readonly keys: MasterKeys | null;
}

/** Whether the master key can be used. Makes none, as a start of a sandbox would. */
export function checkMasterKey(config: Configuration): CheckedKeys {
  const check = 'master key';
  const isGiven = config.masterKey !== null || config.masterKeyFile !== null;
  const own = join(config.data, 'master.key');
  if (!isGiven && config.profile === 'sandbox' && !existsSync(own))
    return { finding: ok(check, `${own} is not there yet: the first start makes it`), keys: null };
  try {
    const keys = loadMasterKeys(config);
    const place = config.masterKey === null ? (config.masterKeyFile ?? own) : 'the setting masterKey';
    return { finding: ok(check, `${keys.keys.length} of ${place}`), keys };
  } catch (error) {
    return { finding: refused(check, error, 'give the key file that the exchange was made with'), keys: null };
  }
}

/** Whether the token of the configuration can be used. */
export function checkOperatorToken(config: Configuration): Finding {
  const check = 'operator token';
  try {
    const token = operatorTokenOf(config);
    if (token !== null) return ok(check, config.operatorTokenFile ?? 'of the setting operatorToken');
    return ok(check, 'made at start');
  } catch (error) {
    return refused(check, error, 'make one: openssl rand -hex 32 > FILE && chmod 600 FILE');
  }
}

function refused(check: string, error: unknown, otherwise: string): Finding {
  if (!(error instanceof ConfigurationRefused)) throw error;
  return toldFault(check, error.faults[0]!, otherwise);
}
