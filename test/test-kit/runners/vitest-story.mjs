import { useBourse } from 'bourse/testing/vitest';
import { beforeAll, test } from 'vitest';
import { tellStory } from './story.mjs';

const bourse = useBourse({ now: '2026-01-01T00:00:00Z', restoreEach: true });
tellStory(bourse, { test, beforeAll });
