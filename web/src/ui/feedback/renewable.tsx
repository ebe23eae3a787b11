import { Box, Button, Center, Grid } from '@chakra-ui/react';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';

interface RenewableProps {
  isExpired: boolean;
  /** Button label, e.g. 'Get a new code'. */
  label: string;
  onRenew: () => void;
  isPending?: boolean;
  children: ReactNode;
}

/** Dims a code once it has expired, and offers a button to renew it. */
export function RenewableCode({ isExpired, label, onRenew, isPending = false, children }: RenewableProps) {
  return (
    <Grid position="relative" justifyItems="center">
      <Box opacity={isExpired ? 0.12 : 1} inert={isExpired} transition="opacity 180ms" maxW="full">
        {children}
      </Box>
      {isExpired && (
        <Center position="absolute" inset="0">
          <Button onClick={onRenew} loading={isPending} loadingText={label}>
            <RefreshCw />
            {label}
          </Button>
        </Center>
      )}
    </Grid>
  );
}
