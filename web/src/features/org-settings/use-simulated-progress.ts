import { useEffect, useState } from 'react';

const STEP = 10;
const STEP_MS = 100;

/**
 * Progress in percent of choosing a file. That takes no time, so this adds 10 % every 100 ms up to 100 %, to show
 * people that the file was accepted (spec 2 §4). 0 without a file.
 */
export function useSimulatedProgress(file: File | null): number {
  const [progress, setProgress] = useState<{ file: File | null; percent: number }>({ file: null, percent: 0 });
  const percent = progress.file === file ? progress.percent : 0;

  useEffect(() => {
    if (!file || percent >= 100) return;
    const timer = setTimeout(() => setProgress({ file, percent: percent + STEP }), STEP_MS);
    return () => clearTimeout(timer);
  }, [file, percent]);

  return percent;
}
