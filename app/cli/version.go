package cli

// Version is the program's version. FyneApp.toml has the same; a test compares.
const Version = "0.1.0"
