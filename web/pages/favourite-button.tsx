import { favourites, turnFavourite } from '#web/data/markets.ts';
import { StarIcon } from '#web/design/icons.tsx';
import '#web/pages/favourite.css';

/** Marks a pair as a favourite, and takes the mark away. */
export function FavouriteButton({ symbol, name }: { readonly symbol: string; readonly name: string }) {
  const isFull = favourites.value.has(symbol);
  return (
    <button
      type="button"
      class={isFull ? 'favourite full' : 'favourite'}
      aria-pressed={isFull}
      aria-label={`Favourite ${name}`}
      onClick={() => turnFavourite(symbol)}
    >
      <StarIcon isFull={isFull} />
    </button>
  );
}
