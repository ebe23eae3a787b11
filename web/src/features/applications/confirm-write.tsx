import type { EndpointDefinition, InputOf } from '@orchestrate/shared';
import type { ComponentProps } from 'react';
import type { Replied } from '#lib/api/call.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';

interface ConfirmWriteProps<E extends EndpointDefinition>
  extends Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'verb' | 'isDestructive' | 'consequences'> {
  entry: E;
  /** What is sent once it is confirmed; the dialog is closed where there is nothing to send. */
  input: InputOf<E> | undefined;
  /** What is said afterwards. */
  done: string;
  onDone?: (reply: Replied<E>) => void;
  onClose: () => void;
}

/** Asks once more, sends one change of an application or of what it rests on, and shows why that was refused. */
export function ConfirmWrite<E extends EndpointDefinition>(props: ConfirmWriteProps<E>) {
  const { entry, input, done, onDone, onClose, ...dialog } = props;
  const { run, isPending, refusal, reset } = useWrite(entry, { invalidates: ['Applications'] });
  const confirm = async () => {
    if (!input) return;
    let reply: Replied<E>;
    try {
      reply = await run(input);
    } catch {
      return;
    }
    onDone?.(reply);
    toast.success(done);
    onClose();
  };
  return (
    <ConfirmDialog
      {...dialog}
      isOpen={input !== undefined}
      onClose={onClose}
      onExitComplete={reset}
      onConfirm={() => void confirm()}
      isPending={isPending}
      error={refusal && resultText(refusal)}
    />
  );
}
