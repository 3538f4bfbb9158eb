import { before, test } from 'node:test';
import { useBourse } from 'bourse/testing/node';
import { tellStory } from './story.mjs';

const bourse = await useBourse({ now: '2026-01-01T00:00:00Z', restoreEach: true });
tellStory(bourse, { test, beforeAll: before });
