import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CSV_FIELDS, type CsvColumn, type CsvField } from '@orchestrate/shared';
import { TriangleAlert } from 'lucide-react';
import { Select } from '../../ui/select.tsx';
import { hasAddresses, withField } from './use-file-check.ts';

const WORDS: Record<CsvField, string> = {
  email: t`E-mail`,
  firstName: t`First Name`,
  lastName: t`Last Name`,
  primaryAttr: t`Primary attribute`,
};

export const NO_ADDRESSES = t`Choose the column that holds the e-mail addresses`;

interface FileColumnsProps {
  columns: CsvColumn[];
  onChoose: (columns: (CsvField | '')[]) => void;
}

/** What each column of the file was taken for; another choice is made by hand. */
export function FileColumns({ columns, onChoose }: FileColumnsProps) {
  return (
    <chakra.fieldset borderWidth="1px" borderRadius="l2" minW="0">
      <chakra.legend srOnly>{t`Columns`}</chakra.legend>
      <Text aria-hidden px="3.5" py="2.5" textStyle="sm" fontWeight="medium">
        {t`Columns`}
      </Text>
      {!hasAddresses({ columns }) && (
        <Flex role="alert" gap="1.5" align="center" px="3.5" pb="2.5" textStyle="sm" color="fg.error">
          <TriangleAlert size={14} aria-hidden />
          {NO_ADDRESSES}
        </Flex>
      )}
      <Box maxH="56" overflowY="auto" borderTopWidth="1px" py="1.5">
        {columns.map(({ header, sample, field }, at) => {
          const name = header || t`Column ${at + 1}`;
          return (
            <Flex as="label" key={at} align="center" gap="3" px="3.5" py="1">
              <Box flex="1" minW="0">
                <Text textStyle="sm" truncate title={name}>
                  {name}
                </Text>
                {sample && (
                  <Text textStyle="xs" color="fg.muted" truncate title={sample}>
                    {sample}
                  </Text>
                )}
              </Box>
              <Select
                width={{ base: '36', xs: '44' }}
                size="sm"
                aria-label={t`Column ${name}`}
                value={field ?? ''}
                onChange={({ target }) =>
                  onChoose(withField(columns, at, CSV_FIELDS.find((known) => known === target.value) ?? ''))
                }
              >
                <option value="">{t`Left out`}</option>
                {CSV_FIELDS.map((known) => (
                  <option key={known} value={known}>
                    {WORDS[known]}
                  </option>
                ))}
              </Select>
            </Flex>
          );
        })}
      </Box>
    </chakra.fieldset>
  );
}
