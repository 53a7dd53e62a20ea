const fc = require('fast-check');

// The same cases in every run, so that a mutant does not survive by chance. To shrink a failing case costs minutes.
fc.configureGlobal({ seed: 1, endOnFailure: true });
