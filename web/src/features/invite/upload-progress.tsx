import { Box, Button, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import { formatCountdown } from '../../lib/format/countdown-text.ts';
import { formatNumber } from '../../lib/format/number.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { Upload } from './use-invite.ts';
import { useUploadPace } from './use-upload-pace.ts';

interface UploadProgressProps {
  upload: Upload;
  /** The dialog was asked to close: this too asks whether to stop. */
  isAskedToClose: boolean;
  onKeepGoing: () => void;
  onStop: () => void;
}

/** Progress of the upload: rows done, their rate, the remaining time, and a button to stop it. */
export function UploadProgress({ upload, isAskedToClose, onKeepGoing, onStop }: UploadProgressProps) {
  const [isAsking, setIsAsking] = useState(false);
  const { fraction, rowsDone, rowsPerSecond, rowsLeft, secondsLeft } = useUploadPace(upload);
  const percent = fraction === undefined ? undefined : Math.floor(fraction * 100);
  const facts = [
    [t`Rows done`, formatNumber(rowsDone)],
    [t`Rows a second`, rowsPerSecond === undefined ? '…' : formatNumber(rowsPerSecond)],
    [t`Rows left`, rowsLeft === undefined ? '…' : `≈ ${formatNumber(rowsLeft)}`],
    [t`Time left`, secondsLeft === undefined ? '…' : `≈ ${formatCountdown(secondsLeft)}`],
  ] as const;
  const keepGoing = () => {
    setIsAsking(false);
    onKeepGoing();
  };
  return (
    <Flex direction="column" gap="5">
      <Flex align="center" gap="3">
        <Box color="fg.muted" flexShrink="0">
          <FileText size={20} strokeWidth={1.75} aria-hidden />
        </Box>
        <Text flex="1" minW="0" fontWeight="medium" truncate>
          {upload.fileName}
        </Text>
        <Text textStyle="code" fontWeight="semibold">
          {percent === undefined ? t`Starting…` : `${percent} %`}
        </Text>
      </Flex>
      <ProgressBar label={t`Upload`} value={percent} max={100} />
      <Grid as="dl" templateColumns={{ base: '1fr 1fr', xs: 'repeat(4, 1fr)' }} gap="3">
        {facts.map(([name, value]) => (
          <Box key={name}>
            <chakra.dt textStyle="xs" color="fg.muted">
              {name}
            </chakra.dt>
            <chakra.dd textStyle="code" fontWeight="semibold">
              {value}
            </chakra.dd>
          </Box>
        ))}
      </Grid>
      {isAsking || isAskedToClose ? (
        <Flex direction="column" gap="4" animationStyle="appear">
          <AlertLine tone="warning">
            {t`Stop the upload? People invited so far stay invited; upload the same file again for the rest.`}
          </AlertLine>
          <Flex gap="2.5" justify="flex-end">
            <Button variant="outline" autoFocus onClick={keepGoing}>
              {t`Keep going`}
            </Button>
            <Button colorPalette="danger" onClick={onStop}>
              {t`Stop upload`}
            </Button>
          </Flex>
        </Flex>
      ) : (
        <Flex justify="flex-end">
          <Button variant="outline" onClick={() => setIsAsking(true)}>
            {t`Cancel`}
          </Button>
        </Flex>
      )}
    </Flex>
  );
}
