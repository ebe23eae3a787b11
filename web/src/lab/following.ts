interface Followed<Key> {
  key: Key;
  /** How many parts of the page show it. */
  users: number;
  isReading: boolean;
  /** Something has happened since the present reading began. */
  isStale: boolean;
}

/**
 * What is read again when something has happened: at once, without a timer. Each is read once at a time, and once more
 * where something happened meanwhile. So a page follows as fast as it can read, however fast things happen, and no
 * answer is thrown away for the next one.
 */
export function createFollowing<Key>(read: (key: Key) => Promise<unknown>) {
  const shown = new Map<string, Followed<Key>>();

  async function readAgain(followed: Followed<Key>): Promise<void> {
    followed.isStale = true;
    if (followed.isReading) return;
    followed.isReading = true;
    while (followed.isStale && followed.users > 0) {
      followed.isStale = false;
      // What went wrong is shown where it is read.
      await read(followed.key).catch(() => undefined);
    }
    followed.isReading = false;
  }

  return {
    /** Something has happened. */
    tell(): void {
      for (const followed of shown.values()) void readAgain(followed);
    },
    /**
     * Follows what is read by `key`, which `id` stands for; returns a function that stops it.
     * @param isOld whether what is shown was read before it was followed: it is read again
     */
    add(id: string, key: Key, isOld: boolean): () => void {
      const followed = shown.get(id) ?? { key, users: 0, isReading: false, isStale: false };
      shown.set(id, followed);
      followed.users += 1;
      if (followed.users === 1 && isOld) void readAgain(followed);
      return () => {
        followed.users -= 1;
        if (followed.users === 0 && shown.get(id) === followed) shown.delete(id);
      };
    },
  };
}
