import { useEffect, useState } from 'react';

/** In pixels; undefined while it is not known. */
export type PictureSize = { width: number; height: number } | 'damaged' | undefined;

/** The size of a picture, as the browser reads it. @param address null where there is none */
export function usePictureSize(address: string | null): PictureSize {
  const [read, setRead] = useState<{ address: string; size: PictureSize }>();
  useEffect(() => {
    if (!address) return;
    let isWanted = true;
    const tell = (size: PictureSize) => isWanted && setRead({ address, size });
    const picture = new Image();
    picture.onload = () => tell({ width: picture.naturalWidth, height: picture.naturalHeight });
    picture.onerror = () => tell('damaged');
    picture.src = address;
    return () => {
      isWanted = false;
    };
  }, [address]);
  return read?.address === address ? read?.size : undefined;
}
