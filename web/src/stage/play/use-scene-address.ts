import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '../../lib/address/use-address-change.ts';
import type { Scene } from '../scenes/scene.ts';
import { SCENES } from '../scenes/scenes.ts';

const PARAMETER = 'scene';

/** The scene in the address, by the key that chooses it; the first where it names none. */
export function useSceneAddress(first: Scene) {
  const [search] = useSearchParams();
  const change = useAddressChange();
  return {
    chosen: SCENES[Number(search.get(PARAMETER)) - 1] ?? first,
    choose: (scene: Scene) => change({ [PARAMETER]: String(SCENES.indexOf(scene) + 1) }, { isStep: true }),
  };
}
