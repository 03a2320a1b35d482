"""The 2³ experiment over the tools of the agent: effects of draft, feedback and search on what compiles and what is faithful."""
