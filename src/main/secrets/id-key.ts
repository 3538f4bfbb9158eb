import { hkdfSync, randomBytes } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { WalletIds } from '#model/wallet-id.ts';
import type { Configuration } from '#main/configuration-schema.ts';
import { ConfigurationRefused } from '#main/configuration/config.ts';
import type { ExchangeCore } from '#main/composition/exchange-core.ts';
import { idKeyAssociatedData, SealBroken, type SecretSeal } from '#main/secrets/secret-seal.ts';
import { createWalletIds, idKeySize } from '#main/secrets/wallet-ids.ts';

type IdKeySettings = Pick<Configuration, 'profile' | 'seed' | 'replaceIdKey'>;

/**
 * Opens the key of wallet ids, which the first start makes: random, or of the seed of a repeatable sandbox. It stands
 * in the journal, sealed under the master key, so every backup has it and nobody who reads a backup can use it; where
 * the master key was replaced it is sealed again. DEC-WAL-171.
 * @throws ConfigurationRefused when no master key that was given opens it
 */
export async function openWalletIds(
  { engine, sequencer }: Pick<ExchangeCore, 'engine' | 'sequencer'>,
  seal: SecretSeal,
  settings: IdKeySettings,
): Promise<WalletIds> {
  const record = async (key: Uint8Array): Promise<WalletIds> => {
    const sealedKey = seal.seal(Buffer.from(key).toString('hex'), idKeyAssociatedData);
    const { events } = await sequencer.submit({ kind: 'recordIdKey', sealedKey });
    assert(
      events.every(({ kind }) => kind !== 'commandRefused'),
      'a sealed key of wallet ids fits',
    );
    return createWalletIds(key);
  };
  const { value: sealed } = engine.state.idKey;
  if (sealed === null) return record(newIdKey(settings));
  try {
    const key = Buffer.from(seal.unseal(sealed, idKeyAssociatedData), 'hex');
    return seal.isCurrent(sealed) ? createWalletIds(key) : await record(key);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    if (settings.replaceIdKey) return record(newIdKey({ ...settings, seed: null }));
    throw new ConfigurationRefused([
      'the key of wallet ids in the journal was sealed under another master key: start with that one. Where it is ' +
        'lost, --replace-id-key makes a new key: ids that were printed before then name nothing any more.',
    ]);
  }
}

const newIdKey = ({ profile, seed }: Pick<IdKeySettings, 'profile' | 'seed'>): Uint8Array =>
  profile === 'sandbox' && seed !== null
    ? Buffer.from(hkdfSync('sha256', seed, 'bourse sandbox', 'key of wallet ids of a seed', idKeySize))
    : randomBytes(idKeySize);
