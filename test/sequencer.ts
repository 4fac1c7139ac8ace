import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longer than their size suggests; without earlier timings, Vitest sorts by size. */
const isSlowForItsSize = /\/test\/(faults|instances|start)\/|\/(cache-consistency|serve)\.test\.ts$/

/**
 * Of several projects, those on SQLite run first, as PostgreSQL takes a while to start. The slowest files come first,
 * so that no worker is left with one at the end.
 */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number =>
      (project.name.includes('postgres') ? 2 : 0) + (isSlowForItsSize.test(moduleId) ? 0 : 1)
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
