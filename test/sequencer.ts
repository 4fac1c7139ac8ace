import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that start servers of their own, which are short and take long. */
const startsServers = /\/test\/(faults|start)\//

/** Of several projects, those on SQLite run first, as PostgreSQL takes a while to start. The slowest files come first. */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number => {
      if (project.name.includes('postgres')) return 2
      return startsServers.test(moduleId) ? 0 : 1
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
