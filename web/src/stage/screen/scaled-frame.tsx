import { Box, chakra } from '@chakra-ui/react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { STAGE_FRAME } from '../../lib/browser/use-media.ts';

const SCALE_MIN = 0.6;

interface ScaledFrameProps {
  title: string;
  src: string;
  /**
   * How wide the page inside is laid out at least, in px. Where there is less room it is drawn smaller, as long as it
   * can be read; 0: as wide as its place.
   */
  width: number;
  frame: RefObject<HTMLIFrameElement | null>;
  /** Called with the window of each page that has loaded. */
  onPage: (page: Window | null) => void;
}

/** A page of the portal in a frame that fills its place. */
export function ScaledFrame({ title, src, width, frame, onPage }: ScaledFrameProps) {
  const place = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width, height: 0 });
  useEffect(() => {
    if (!place.current) return;
    const watch = new ResizeObserver(([entry]) => {
      // Not while its tab is hidden: the page inside would be laid out for nothing.
      if (entry && entry.contentRect.width > 0) setSize(entry.contentRect);
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const scale = width > 0 ? Math.min(1, Math.max(SCALE_MIN, size.width / width)) : 1;
  return (
    <Box ref={place} position="relative" flex="1" minH="0" w="full" overflow="hidden">
      <chakra.iframe
        ref={frame}
        name={STAGE_FRAME}
        title={title}
        src={src}
        onLoad={({ currentTarget }) => onPage(currentTarget.contentWindow)}
        position="absolute"
        top="0"
        left="0"
        border="0"
        bg="bg"
        transformOrigin="0 0"
        style={{
          width: `${size.width / scale}px`,
          height: `${size.height / scale}px`,
          transform: `scale(${scale})`,
        }}
      />
    </Box>
  );
}
