"""Tables of studies."""


def table(study):
    """The matches of a study: a pandas data frame where pandas is installed, else a list of dicts."""
    rows = study.rows()
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)
