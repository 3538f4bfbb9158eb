import type { CDPSession } from 'playwright-core';

interface Answer {
  readonly id?: number;
  readonly result?: { readonly usedSize?: number };
}

/** Memory that the workers of a page hold. */
export class WorkerHeaps {
  private readonly profiler: CDPSession;
  private readonly workers = new Set<string>();
  private readonly asked = new Map<number, (answer: Answer) => void>();
  private lastId = 0;

  private constructor(profiler: CDPSession) {
    this.profiler = profiler;
    profiler.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (targetInfo.type === 'worker') this.workers.add(sessionId);
    });
    profiler.on('Target.detachedFromTarget', ({ sessionId }) => this.workers.delete(sessionId));
    profiler.on('Target.receivedMessageFromTarget', ({ message }) => {
      const answer = JSON.parse(message) as Answer;
      if (answer.id === undefined) return;
      this.asked.get(answer.id)?.(answer);
      this.asked.delete(answer.id);
    });
  }

  /** Hears of every worker that the page begins from now on. */
  static async follow(profiler: CDPSession): Promise<WorkerHeaps> {
    const heaps = new WorkerHeaps(profiler);
    await profiler.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
    return heaps;
  }

  /** Bytes of all workers, once what nobody refers to is gone. */
  async bytes(): Promise<number> {
    let all = 0;
    for (const worker of this.workers) {
      await this.ask(worker, 'HeapProfiler.collectGarbage');
      const { result } = await this.ask(worker, 'Runtime.getHeapUsage');
      all += result?.usedSize ?? 0;
    }
    return all;
  }

  private async ask(sessionId: string, method: string): Promise<Answer> {
    this.lastId += 1;
    const id = this.lastId;
    const answer = new Promise<Answer>((resolve) => this.asked.set(id, resolve));
    await this.profiler.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) });
    return answer;
  }
}
