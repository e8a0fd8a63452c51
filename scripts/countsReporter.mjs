// A Vitest reporter that leaves the outcome of a run, as JSON, in the file that $COUNTS_FILE names.
import { writeFileSync } from 'node:fs'

/** @import { Reporter, TestModule, Vitest } from 'vitest/node' */

/** @implements {Reporter} */
export default class CountsReporter {
  /** @type {string[]} */
  projects = []

  /** @param {Vitest} vitest */
  onInit(vitest) {
    this.projects = vitest.projects.map((project) => project.name)
  }

  /**
   * @param {ReadonlyArray<TestModule>} modules
   * @param {ReadonlyArray<unknown>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const path = process.env['COUNTS_FILE']
    if (!path) return
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const states = tests.map((test) => test.result().state)
    // A hook of a suite that threw leaves its tests skipped, and a file that did not load has none: each is
    // one failure of its own.
    const brokenSuites = modules
      .flatMap((module) => [...module.children.allSuites()])
      .filter((suite) => suite.errors().length > 0)
    const brokenFiles = modules.filter(
      (module) =>
        module.errors().length > 0 ||
        (module.state() === 'failed' && [...module.children.allTests()].length === 0),
    )
    const passed = states.filter((state) => state === 'passed').length
    const failedTests = states.filter((state) => state === 'failed').length
    const failed = failedTests + brokenSuites.length + brokenFiles.length + unhandledErrors.length
    const skipped = states.length - passed - failedTests
    // A project whose pattern matches nothing any more would pass for ever.
    const heard = new Set(tests.map((test) => test.project.name))
    const silent = this.projects.filter((name) => !heard.has(name))
    writeFileSync(path, JSON.stringify({ passed, failed, skipped, silent }))
  }
}
