import type { Coin, CoinNetwork } from '#web/data/wallet.ts';
import { ChoiceField } from '#web/design/field.tsx';
import { networkName } from '#web/data/wallet.ts';

interface CoinChoiceProps {
  readonly coins: readonly Coin[];
  readonly coin: string;
  readonly onChoose: (coin: string) => void;
}

/** Which coin. */
export const CoinChoice = ({ coins, coin, onChoose }: CoinChoiceProps) => (
  <ChoiceField
    label="Coin"
    value={coin}
    onChoose={onChoose}
    choices={coins.map((each) => ({
      value: each.coin,
      text: each.name === each.coin ? each.coin : `${each.coin} · ${each.name}`,
    }))}
  />
);

interface NetworkChoiceProps {
  readonly networks: readonly CoinNetwork[];
  readonly network: string;
  readonly isOpen: (network: CoinNetwork) => boolean;
  readonly onChoose: (network: string) => void;
}

/** Which network of the coin; those that are switched off say so. */
export const NetworkChoice = ({ networks, network, isOpen, onChoose }: NetworkChoiceProps) => (
  <ChoiceField
    label="Network"
    value={network}
    onChoose={onChoose}
    choices={networks.map((each) => ({
      value: each.netWork,
      text: `${networkName(each)}${isOpen(each) ? '' : ' · switched off'}`,
    }))}
  />
);

/** The coin that a page begins with: the one of its path, else USDT, else the first. */
export const firstCoin = (coins: readonly Coin[], asked: string | undefined): Coin | undefined =>
  coins.find(({ coin }) => coin === asked) ?? coins.find(({ coin }) => coin === 'USDT') ?? coins[0];
