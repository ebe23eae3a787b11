import { Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { health } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { call } from '../lib/api/call.ts';

const PAUSE_MS = 5_000;

/** Reloads a page that could not be loaded, as soon as a portal that does not answer answers again. */
export function ReloadOnReturn() {
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async (wasAway: boolean) => {
      const isThere = await call(health, {}).then(
        () => true,
        () => false,
      );
      if (isLeft) return;
      if (isThere && wasAway) window.location.reload();
      setIsAway(!isThere);
      timer = setTimeout(() => void look(!isThere), PAUSE_MS);
    };
    void look(false);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, []);
  return (
    <Text role="status" textAlign="center" color="fg.muted">
      {isAway && t`The portal does not answer. This page opens by itself as soon as it does.`}
    </Text>
  );
}
