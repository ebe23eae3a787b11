import { Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useLayoutEffect, useRef } from 'react';
import { useMissingParts } from '#lib/browser/lazy-part.ts';

/** Says above every page that something is not there because its files could not be loaded, and what one can do. */
export function MissingParts() {
  const missing = useMissingParts();
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (missing && strip.current) return takeRoom(strip.current);
  }, [missing]);
  if (!missing) return null;
  return (
    <Flex
      ref={strip}
      role="alert"
      position="sticky"
      top="0"
      zIndex="notice"
      px="4"
      py="2"
      gap="3"
      align="center"
      justify="center"
      wrap="wrap"
      bg="bg.panel"
      borderBottomWidth="1px"
      textStyle="sm"
    >
      {missing === 'away' && t`The portal isn't responding. The missing parts will appear as soon as it does.`}
      {missing === 'replaced' && t`The portal is newer than this page. Save what you have typed, then reload the page.`}
      {missing === 'other' && t`Part of this page couldn't be loaded. It will appear as soon as it can be.`}
      <Button size="sm" variant="outline" onClick={() => window.location.reload()}>
        {t`Reload the page`}
      </Button>
    </Flex>
  );
}

/** Tells the page how high a strip above it is: what is as high as the window ends with it, and what sticks to its top stays below. */
function takeRoom(strip: HTMLElement): () => void {
  const { style } = document.documentElement;
  const measure = () => style.setProperty('--notice', `${strip.offsetHeight}px`);
  measure();
  const watch = new ResizeObserver(measure);
  watch.observe(strip);
  return () => {
    watch.disconnect();
    style.removeProperty('--notice');
  };
}
