import { Box, Button, Center, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import { FileText, FileUp, X } from 'lucide-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { formatFileSize } from '#lib/format/numbers.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { ActionButton } from '../feedback/action-button.tsx';
import { FieldError } from './form-field.tsx';

interface FileDropProps {
  /** File type, e.g. 'CSV file'. */
  label: string;
  /** Displayed extensions without the dot, e.g. 'CSV'. */
  formats: readonly string[];
  maxBytes?: number;
  /** Replaces the default note about formats and size. */
  note?: string;
  file: File | undefined;
  /** Details about the chosen file, in addition to its size. */
  about?: string | undefined;
  onFile: (file: File | undefined) => void;
  /** Error about the chosen file or a missing file. */
  error?: string | undefined;
}

interface Problem {
  text: string;
  /** Label of the button for choosing another file. */
  retry: string;
}

/** Returns why a file is rejected, worded as in spec 1 §5. */
function problemWith(file: File, formats: readonly string[], maxBytes: number): Problem | undefined {
  const extension = file.name.split('.').at(-1)?.toLowerCase();
  if (!formats.some((format) => format.toLowerCase() === extension))
    return { text: t`Only ${formats.join(', ')} files are allowed`, retry: t`File not supported. Retry` };
  const retry = t`Choose another file`;
  if (file.size > maxBytes) return { text: t`File is larger than ${formatFileSize(maxBytes)}`, retry };
  if (file.size === 0) return { text: t`The file is empty`, retry };
  return undefined;
}

/** A field for one file, which users can drop or choose. */
export function FileDrop({ label, formats, maxBytes = LIMITS.fileDropBytes, ...props }: FileDropProps) {
  const { note, file, about, onFile, error } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const shown = problem?.text ?? error;

  const take = (chosen: File | undefined) => {
    if (!chosen) return;
    const found = problemWith(chosen, formats, maxBytes);
    setProblem(found);
    onFile(found ? undefined : chosen);
  };
  const hover = (event: DragEvent, isInside: boolean) => {
    event.preventDefault();
    setIsOver(isInside);
  };
  const drop = (event: DragEvent) => {
    hover(event, false);
    take(event.dataTransfer.files[0]);
  };
  const choose = () => input.current?.click();

  return (
    <Flex
      direction="column"
      gap="1.5"
      role="group"
      aria-label={label}
      aria-describedby={shown ? `${id}-error` : undefined}
    >
      <chakra.input
        ref={input}
        type="file"
        accept={formats.map((format) => `.${format.toLowerCase()}`).join(',')}
        aria-label={label}
        tabIndex={-1}
        srOnly
        onChange={(event) => {
          take(event.target.files?.[0]);
          // Clears the input, so that the user can choose the same file again after editing it.
          event.target.value = '';
        }}
      />
      {file ? (
        <Flex align="center" gap="3" px="4" minH="16" borderWidth="1px" borderRadius="l3" bg="bg.subtle">
          <Box color="fg.muted" flexShrink="0">
            <FileText size={20} strokeWidth={1.75} aria-hidden />
          </Box>
          <Box flex="1" minW="0">
            <Text fontWeight="medium" truncate>
              {file.name}
            </Text>
            <Text textStyle="sm" color="fg.muted">
              {joinWithDots(formatFileSize(file.size), about)}
            </Text>
          </Box>
          <ActionButton
            label={t`Remove ${file.name}`}
            onClick={() => {
              onFile(undefined);
              setProblem(undefined);
            }}
          >
            <X />
          </ActionButton>
        </Flex>
      ) : (
        <Center
          onDragEnter={(event) => hover(event, true)}
          onDragOver={(event) => hover(event, true)}
          onDragLeave={(event) => hover(event, event.currentTarget.contains(event.relatedTarget as Node | null))}
          onDrop={drop}
          flexDirection="column"
          gap="3"
          px="5"
          py="7"
          textAlign="center"
          borderWidth="1.5px"
          borderStyle="dashed"
          borderRadius="l3"
          borderColor={isOver ? 'brand.line' : shown ? 'border.error' : 'border.emphasized'}
          bg={isOver ? 'brand.subtle' : 'bg.subtle'}
          transition="background-color 120ms, border-color 120ms"
        >
          <Center boxSize="11" borderRadius="full" bg="bg.muted" color="fg.muted" pointerEvents="none">
            <FileUp size={20} strokeWidth={1.75} aria-hidden />
          </Center>
          {isOver ? (
            <Text fontWeight="medium" minH="9" pointerEvents="none">
              {t`Drop the file here`}
            </Text>
          ) : (
            <Flex align="center" justify="center" gap="2" wrap="wrap" color="fg.muted">
              {!problem && t`Drag a file here, or`}
              <Button variant="outline" size="sm" onClick={choose}>
                {problem?.retry ?? t`Choose a file`}
              </Button>
            </Flex>
          )}
          <Text textStyle="xs" color="fg.muted" pointerEvents="none">
            {note ?? t`${formats.join(', ')} up to ${formatFileSize(maxBytes)}`}
          </Text>
        </Center>
      )}
      {shown && <FieldError id={`${id}-error`}>{shown}</FieldError>}
    </Flex>
  );
}
