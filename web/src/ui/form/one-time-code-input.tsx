import { Center, chakra, Flex } from '@chakra-ui/react';
import { Fragment, useId } from 'react';

interface OneTimeCodeInputProps {
  length: number;
  value: string;
  onChange: (value: string) => void;
  /** Called on Enter, or on the last character if `submitsWhenFull`. */
  onSubmit?: (value: string) => void;
  submitsWhenFull?: boolean;
  label: string;
  kind?: 'digits' | 'letters-and-digits';
  /** Shows a gap after every group of this many boxes. */
  groupSize?: number;
  error?: string | undefined;
  isDisabled?: boolean;
  hasAutoFocus?: boolean;
  /** Shows dots instead of characters and disables the browser's autofill. */
  isSecret?: boolean;
}

const allowed = { digits: /[^0-9]/g, 'letters-and-digits': /[^0-9A-Z]/g };

/**
 * A code input shown as boxes, on top of a single real input that supports pasting, autofill and screen readers.
 * Letters become upper case.
 */
export function OneTimeCodeInput(props: OneTimeCodeInputProps) {
  const { length, value, onChange, onSubmit, label, kind = 'digits', error, isDisabled, groupSize = 0 } = props;
  const errorId = useId();
  const accept = (typed: string) => {
    const next = typed.toUpperCase().replace(allowed[kind], '').slice(0, length);
    if (next === value) return;
    onChange(next);
    if (props.submitsWhenFull && next.length === length) onSubmit?.(next);
  };
  return (
    <Flex direction="column" align="center" maxW="full">
      <Flex direction="column" gap="2" maxW="full">
        <Flex
          dir="ltr"
          position="relative"
          gap={{ base: '1.5', xs: '2' }}
          align="center"
          maxW="full"
          opacity={isDisabled ? 0.5 : 1}
          css={{
            '&:focus-within [data-next]': { outline: '2px solid {colors.brand.line}', borderColor: 'transparent' },
          }}
        >
          {Array.from({ length }, (_, at) => (
            <Fragment key={at}>
              {groupSize > 0 && at > 0 && at % groupSize === 0 && <chakra.span w="2" />}
              <Center
                aria-hidden
                data-next={at === Math.min(value.length, length - 1) ? '' : undefined}
                w={length > 6 ? '9' : '11'}
                minW="0"
                flexShrink={1}
                h={length > 6 ? '11' : '13'}
                borderWidth="1px"
                borderColor={error ? 'border.error' : 'border.emphasized'}
                borderRadius="l2"
                bg="bg.panel"
                textStyle="code"
                fontSize="xl"
                fontWeight="semibold"
              >
                {value[at] && (props.isSecret ? '•' : value[at])}
              </Center>
            </Fragment>
          ))}
          <chakra.input
            position="absolute"
            inset="0"
            w="full"
            h="full"
            bg="transparent"
            color="transparent"
            caretColor="transparent"
            outline="none"
            border="none"
            cursor="text"
            css={{ '&::selection': { background: 'transparent' } }}
            data-over-boxes=""
            aria-label={label}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? errorId : undefined}
            autoComplete={props.isSecret ? 'off' : 'one-time-code'}
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            inputMode={kind === 'digits' ? 'numeric' : 'text'}
            autoFocus={props.hasAutoFocus}
            // Dialogs move the focus here after they open.
            data-autofocus={props.hasAutoFocus ? '' : undefined}
            disabled={isDisabled}
            value={value}
            onChange={(event) => accept(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && value.length === length) onSubmit?.(value);
            }}
          />
        </Flex>
        {error && (
          // Limits the error's width to the width of the boxes, so that the boxes don't move.
          <chakra.span id={errorId} role="alert" w="0" minW="full" textStyle="sm" fontWeight="medium" color="fg.error">
            {error}
          </chakra.span>
        )}
      </Flex>
    </Flex>
  );
}
