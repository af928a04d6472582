"""Regular expressions that users type."""

from __future__ import annotations

import re
import warnings
from typing import AnyStr


def compiled(pattern: AnyStr, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[AnyStr]:
    """As ``re.compile``, without the warnings for those who write programs: of what may mean
    something else in a later Python, such as ``[[a--b]``. re.error when it is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        try:
            return re.compile(pattern, flags)
        except (OverflowError, RecursionError) as error:
            raise re.error(str(error), pattern) from None
