import { Button, type ButtonProps } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';

interface RefreshButtonProps {
  refetch: () => Promise<unknown>;
  /** `md` next to a page's title. */
  size?: ButtonProps['size'];
}

/** A button that reloads a list, with a spinner until the list has loaded. */
export function RefreshButton({ refetch, size = 'sm' }: RefreshButtonProps) {
  const [isRefreshing, setIsRefreshing] = useState(false);
  const refresh = async () => {
    setIsRefreshing(true);
    try {
      await refetch();
    } finally {
      setIsRefreshing(false);
    }
  };
  return (
    <Button
      variant="outline"
      size={size}
      loading={isRefreshing}
      loadingText={t`Refresh`}
      onClick={() => void refresh()}
    >
      <RefreshCw aria-hidden />
      {t`Refresh`}
    </Button>
  );
}
