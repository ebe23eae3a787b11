import { t } from '@lingui/core/macro';
import useSWR from 'swr';
import { LoadingPage } from '../layout/loading-page.tsx';
import { useCarriedLabToken } from '../lib/session/use-carried-lab-token.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { readDocuments } from './documents.ts';
import { ReferenceScreen } from './reference-screen.tsx';

/** `/docs`: every endpoint and socket, from the documents that this portal serves for tools. */
export default function ReferencePage() {
  useCarriedLabToken();
  const { data, error, mutate } = useSWR('reference', readDocuments, { revalidateOnFocus: false });
  if (data) return <ReferenceScreen {...data} />;
  if (error) return <ErrorState message={t`The reference could not be read.`} onRetry={() => void mutate()} />;
  return <LoadingPage />;
}
