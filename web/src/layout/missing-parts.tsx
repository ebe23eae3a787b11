import { Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useLayoutEffect, useRef } from 'react';
import { useMissingParts } from '#lib/browser/lazy-part.ts';

/** A notice above every screen if parts of the page couldn't be loaded. */
export function MissingParts() {
  const missing = useMissingParts();
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (missing && strip.current) return reserveHeight(strip.current);
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
      {missing === 'away' && t`The portal isn't responding. The missing parts will load once it's back.`}
      {missing === 'replaced' && t`The portal was updated. Save your changes, then reload the page.`}
      {missing === 'other' && t`Part of this page couldn't be loaded. We'll keep trying.`}
      <Button size="sm" variant="outline" onClick={() => window.location.reload()}>
        {t`Reload the page`}
      </Button>
    </Flex>
  );
}

/** Reserves the height of a strip above the page for full-height and sticky elements. */
function reserveHeight(strip: HTMLElement): () => void {
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
