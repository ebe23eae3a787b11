import { Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** The form on the left and its preview on the right, or below it where there is less room. */
export function BrandingColumns({ children }: { children: ReactNode }) {
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 462px' }} gap="6" alignItems="start">
      {children}
    </Grid>
  );
}
