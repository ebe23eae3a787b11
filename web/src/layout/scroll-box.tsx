import { Box, Center } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';

/** Takes the available height and scrolls; an arrow at its lower edge says that there is more below. */
export function ScrollBox({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [hasMore, setHasMore] = useState(false);
  const look = useCallback(() => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    // A browser that is zoomed reports fractions of a pixel.
    setHasMore(scrollHeight - scrollTop - clientHeight > 1);
  }, []);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current) observer.observe(box.current);
    if (content.current) observer.observe(content.current);
    return () => observer.disconnect();
  }, [look]);
  return (
    <Box position="relative" flex="1" minH="0">
      <Box ref={box} h="full" overflowY="auto" onScroll={look}>
        <Box ref={content} py="2">
          {children}
        </Box>
      </Box>
      {hasMore && (
        <Center
          // The keyboard and screen readers reach every item anyway.
          aria-hidden
          data-more
          position="absolute"
          insetInline="0"
          bottom="0"
          h="10"
          pt="3"
          pointerEvents="none"
          color="fg.muted"
          bgImage="linear-gradient(to top, {colors.bg.panel} 45%, transparent)"
          _highContrast={{ h: '5', pt: '0', bg: 'Canvas', borderTopWidth: '1px', borderColor: 'CanvasText' }}
        >
          <ChevronDown size={16} />
        </Center>
      )}
    </Box>
  );
}
